import fc from 'fast-check';
import * as api from '#contract/api.ts';
import { type Deed, keyed, loanOf, personOf, requirePerson, someKey, someone } from './model-deed.ts';
import { type Judge, malformed, refused } from './model-request.ts';
import { instalmentCentavos, isOut, type Loan, manilaYear, pesos } from './oracle.ts';

// The commands about loans. None of them moves money, whatever its status says.

export const apply: fc.Arbitrary<Deed> = fc
  .record({ who: someone, thousands: fc.constantFrom(149, 150, 777, 2_000), key: someKey })
  .map(applicationOf);

export function applicationOf({
  who,
  thousands,
  key,
}: {
  who: number;
  thousands: number;
  key: string | undefined;
}): Deed {
  return {
    words: keyed(`apply for ${thousands},000 by person ${who + 1}`, key),
    can: (model) => personOf(model, who) !== undefined,
    ask: (model) => {
      const owner = requirePerson(model, who);
      const body = { amount: thousands * 1_000, purpose: 'Stock for a small store', termMonths: 12 };
      return {
        request: { row: api.applyForLoan, by: owner, body, key },
        judge: () => {
          if (thousands < 150) return malformed;
          if (!owner.hasDocuments || !owner.bank) return refused(403, 'verification_required');
          const loan: Loan = {
            id: 0,
            number: '',
            owner,
            amountCentavos: thousands * 1_000_00,
            termMonths: 12,
            status: 'pending',
            versions: 1,
            isUnagreed: false,
            createdAtMs: model.nowMs,
            approvedAtMs: undefined,
            releasedCentavos: null,
            isDeleted: false,
          };
          const monthlyPayment = pesos(instalmentCentavos(loan));
          return {
            status: 201,
            reply: {
              userId: owner.id,
              status: 'pending',
              amount: pesos(loan.amountCentavos),
              monthlyPayment,
            },
            happened: ({ id, loanNumber }) => {
              const number = String(loanNumber);
              const last = Number(model.loans.at(-1)?.number.slice(-6) ?? 0);
              const isNext =
                number.startsWith(`LN-${manilaYear(model.nowMs)}-`) && Number(number.slice(-6)) > last;
              if (!isNext) throw new Error(`${number} does not follow ${last}`);
              model.loans.push({ ...loan, id: Number(id), number });
              model.audited.loan_applied += 1;
            },
          };
        },
      };
    },
  };
}

type LoanEdit = { status?: string; amount?: number; termMonths?: number };

const loanEdits: LoanEdit[] = [
  { status: 'approved' },
  { status: 'Account Issue' },
  { amount: 333_333.33 },
  { amount: 200_000, termMonths: 7 },
  { status: 'active', termMonths: 60 },
  { termMonths: 61 },
];

const edits = (which: fc.Arbitrary<number>, edit: fc.Arbitrary<LoanEdit>): fc.Arbitrary<Deed> =>
  fc.record({ which, edit, key: someKey }).map(editOf);

export function editOf({
  which,
  edit,
  key,
}: {
  which: number;
  edit: LoanEdit;
  key: string | undefined;
}): Deed {
  return {
    words: keyed(`change loan ${which} from the last: ${JSON.stringify(edit)}`, key),
    can: (model) => loanOf(model, which) !== undefined,
    ask: (model) => {
      const loan = loanOf(model, which);
      if (!loan) throw new Error('no loan yet');
      const params = { id: loan.id };
      const request = {
        row: api.updateLoan,
        by: 'staff' as const,
        params,
        body: { ...edit },
        key,
      };
      return { request, judge: judgeLoanEdit(loan, edit) };
    },
  };
}

export const editLoan = edits(fc.nat(3), fc.constantFrom(...loanEdits));
export const approve = edits(fc.constantFrom(0, 0, 1), fc.constant({ status: 'approved' }));

function judgeLoanEdit(loan: Loan, edit: LoanEdit): Judge {
  return (model) => {
    if ((edit.termMonths ?? 0) > 60) return malformed;
    if (loan.isDeleted) return refused(404, 'not_found');
    const status = edit.status?.toLowerCase().replace(' ', '_') ?? loan.status;
    const amountCentavos = edit.amount === undefined ? loan.amountCentavos : Math.round(edit.amount * 100);
    const termMonths = edit.termMonths ?? loan.termMonths;
    const isOther = amountCentavos !== loan.amountCentavos || termMonths !== loan.termMonths;
    if (isOther && isOut(loan)) return refused(409, 'loan_disbursed');
    const changed = {
      ...loan,
      status,
      amountCentavos,
      termMonths,
      versions: loan.versions + (isOther ? 1 : 0),
      isUnagreed: loan.isUnagreed || isOther,
      approvedAtMs: status !== loan.status && status === 'approved' ? model.nowMs : loan.approvedAtMs,
    };
    const monthlyPayment = pesos(instalmentCentavos(changed));
    return {
      status: 200,
      reply: { id: loan.id, status, amount: pesos(amountCentavos), termMonths, monthlyPayment },
      happened: () => {
        if (status !== loan.status) {
          loan.owner.notices += 1;
          model.audited.loan_status_changed += 1;
        }
        if (isOther) {
          loan.owner.notices += 1;
          model.audited.loan_terms_changed += 1;
        }
        Object.assign(loan, changed);
      },
    };
  };
}

export const deleteLoan: fc.Arbitrary<Deed> = fc.nat(3).map((which) => ({
  words: `delete loan ${which} from the last`,
  can: (model) => loanOf(model, which) !== undefined,
  ask: (model) => {
    const loan = loanOf(model, which);
    if (!loan) throw new Error('no loan yet');
    return {
      request: { row: api.deleteLoan, by: 'staff' as const, params: { id: loan.id } },
      judge: () => {
        if (loan.isDeleted) return refused(404, 'not_found');
        if (isOut(loan)) return refused(409, 'loan_disbursed');
        const happened = () => {
          loan.isDeleted = true;
          loan.owner.notices += 1;
          model.audited.loan_deleted += 1;
        };
        return { status: 200, happened };
      },
    };
  },
}));
