import { CheckIcon, FileTextIcon, PencilIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import { ProfileForm } from '#contract/profile.ts';
import { paths, stepPath } from '#contract/routes.ts';
import { groupAccountNumber, maskAccountNumber } from '#domain/member.ts';
import {
  factsOf,
  fieldsOf,
  isDocumentPiece,
  missingPieces,
  type ProfileField,
  type ProfileGroup,
  profileFieldNames,
  profileGroups,
} from '#domain/profile.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { type SchemaForm, useFormValues, useSchemaForm } from '#web/lib/form.ts';
import { KeptLine } from '#web/lib/kept-line.tsx';
import { lender } from '#web/lib/lender.ts';
import { NameField } from '#web/lib/name-field.tsx';
import { profileInput, profileReading, type TypedProfile, typedProfile } from '#web/lib/profile-fields.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { PiecesMat } from '#web/lib/verification-lead.tsx';
import { Button, QuietButton, RowButton } from '#web/ui/button.tsx';
import { CardSection } from '#web/ui/card.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { NumberedTitle } from '#web/ui/step-number.tsx';
import { TextField } from '#web/ui/text-field.tsx';

export function PersonalInformation() {
  const { profile, shell, verification } = useAccountWords();
  const user = useUser();
  const { bankName, bankAccountNumber, isVerified } = user;
  const { length: missing } = missingPieces(user).filter((piece) => !isDocumentPiece(piece));
  const isPresent = missing > 0;
  const isAsked = new URLSearchParams(useSearch()).get('step') === 'about';
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'edit' | 'view'>();
  const close = () => setDialog(undefined);
  const guided = useAction();
  const inDialog = useAction();
  const [isSaving] = inDialog;
  const note = isPresent && verification.answers(missing);
  const openEdit = () => setDialog('edit');
  const toPhotos = () => navigate(stepPath('photos'), { replace: true });
  const edit = (
    <RowButton icon={<PencilIcon />} aria-describedby={note ? 'edit-note' : undefined} onClick={openEdit}>
      {profile.edit}
      {note && (
        <span
          id="edit-note"
          aria-hidden="true"
          className="block text-14 font-normal text-pretty text-ink-soft"
        >
          {note}
        </span>
      )}
    </RowButton>
  );
  return (
    <div className="flex flex-col gap-5 *:first:grow">
      <CardSection
        id="personal"
        title={
          <NumberedTitle
            number={!isVerified && (isPresent ? 1 : <CheckIcon className="size-4.5" />)}
            isPresent={isPresent}
          >
            {profile.personal}
          </NumberedTitle>
        }
        className="flex flex-col"
      >
        {isAsked ? (
          // The dialog shows the same answers, and its form begins with them anew.
          dialog !== 'edit' && (
            <ProfileFields
              action={guided}
              isGuided
              onSaved={toPhotos}
              onCancel={() => navigate(paths.profile, { replace: true })}
            />
          )
        ) : (
          <>
            {bankName && bankAccountNumber && (
              <DefinitionRows
                size={14}
                rows={[{ term: bankName, value: <AccountNumber number={bankAccountNumber} isShort /> }]}
              />
            )}
            <div className="-mx-card -my-3 flex flex-col border-line not-first:mt-3 not-first:border-t">
              {edit}
              <RowButton
                icon={<FileTextIcon />}
                className={isPresent ? 'text-14! font-normal! text-ink-soft!' : ''}
                onClick={() => setDialog('view')}
              >
                {profile.view}
              </RowButton>
            </div>
          </>
        )}
      </CardSection>
      {isAsked && (
        <QuietButton
          wide
          className="-mt-2 font-normal!"
          aria-label={`${profile.edit}: ${profile.allAtOnce}`}
          onClick={openEdit}
        >
          {profile.allAtOnce}
        </QuietButton>
      )}
      {dialog === 'edit' && (
        <Dialog
          onClose={() => {
            if (!isSaving) close();
          }}
          onReopen={openEdit}
          closeOnBackdrop={false}
          title={profile.personal}
          closeLabel={shell.close}
        >
          <ProfileFields
            action={inDialog}
            onSaved={() => {
              close();
              if (isAsked) toPhotos();
            }}
            onCancel={close}
          />
        </Dialog>
      )}
      {dialog === 'view' && <PersonalInformationView onClose={close} onReopen={() => setDialog('view')} />}
    </div>
  );
}

type ViewProps = { onClose: () => void; onReopen: () => void };

function PersonalInformationView(leaving: ViewProps) {
  const { profile, session, shell, verification, date, peso } = useAccountWords();
  const user = useUser();
  /** Facts of the account that no form asks for. */
  const besides = [
    { term: session.phone, value: user.phone },
    { term: profile.memberSince, value: date(user.createdAt) },
  ];
  const shownOf = (name: ProfileField) => {
    const value = user[name];
    const { kind } = factsOf(name);
    if (!value) return <span className="font-normal text-ink-soft">{profile.notGiven}</span>;
    if (kind === 'accountNumber') return <AccountNumber number={value} />;
    return kind === 'pesos' ? peso(value) : value;
  };
  return (
    <Dialog
      {...leaving}
      title={profile.viewTitle}
      closeLabel={shell.close}
      // The account number's toggle is the only button.
      onlyRead={!user.bankAccountNumber}
    >
      <div className="flex flex-col gap-5">
        {profileGroups.map((id) => (
          <section key={id} aria-labelledby={`view-${id}`}>
            <h3 id={`view-${id}`} className="font-heading text-16 font-bold">
              {profile.groups[id].title}
            </h3>
            <p className="text-14 text-ink-soft">{profile.groups[id].why}</p>
            <DefinitionRows
              ruled
              size={14}
              rows={[
                ...fieldsOf(id).map((name) => ({ term: verification.pieces[name], value: shownOf(name) })),
                ...(id === 'person' ? besides : []),
              ]}
            />
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/**
 * Shows the number masked to its last four digits; the full one is not in the DOM until shown. `isShort`: in
 * one line beside its bank.
 */
function AccountNumber({ number, isShort = false }: { number: string; isShort?: boolean }) {
  const { profile } = useAccountWords();
  const [shown, setShown] = useState(false);
  const hidden = maskAccountNumber(number);
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-1">
      <span>{shown ? groupAccountNumber(number) : isShort ? hidden.slice(-9) : hidden}</span>
      <QuietButton className="-my-2.5 -mr-3" onClick={() => setShown(!shown)}>
        {shown ? profile.hideNumber : profile.showNumber}
      </QuietButton>
    </span>
  );
}

/** The two parts of the form that a new borrower fills in (§verified-account). */
const parts: readonly (readonly ProfileGroup[])[] = [
  ['person', 'work'],
  ['reference', 'bank'],
];

const partFields = (part: number) => (parts[part] ?? []).flatMap(fieldsOf);
const partPath = (part: number) => `${stepPath('about')}&part=${part + 1}`;

function withFirstValues(typed: TypedProfile): TypedProfile {
  const first = (name: ProfileField) => typed[name] || (factsOf(name).firstValue ?? '');
  return Object.fromEntries(profileFieldNames.map((name) => [name, first(name)])) as TypedProfile;
}

type ProfileFieldsProps = {
  action: ReturnType<typeof useAction>;
  isGuided?: boolean;
  onSaved: () => void;
  onCancel: () => void;
};

/** Edits the personal fields (rules: §profile-fields). Typed values survive a failure. */
function ProfileFields({ action: [busy, run], isGuided = false, onSaved, onCancel }: ProfileFieldsProps) {
  const { apply, consents, profile, session, shell, typed, verification, withdrawal } = useAccountWords();
  const user = useUser();
  const { accept } = useSession();
  const isNew = useSearch().includes('step=about');
  const form = useSchemaForm(ProfileForm, {
    defaultValues: isNew ? withFirstValues(typedProfile(user)) : typedProfile(user),
    kept: useTypedValues('profile'),
  });
  const [missing] = useState(missingPieces(user)[0]);
  const firstPart = parts.findIndex((groups) => groups.flatMap(fieldsOf).some((name) => name === missing));
  // The address names the part, so that the phone's own Back leads to the one before. The second part opens
  // once the first is answered.
  const asked = new URLSearchParams(useSearch()).get('part') ?? '';
  const wrong = ProfileForm.safeParse(form.getValues()).error?.issues ?? [];
  const reached = wrong.some(({ path }) => partFields(0).some((name) => name === path[0])) ? 0 : 1;
  const part = { 1: 0, 2: reached }[asked] ?? Math.max(0, firstPart);
  const [, navigate] = useLocation();
  const show = (other: number) => navigate(partPath(other));
  useEffect(() => {
    if (isGuided && asked === '2' && part === 0) navigate(partPath(0), { replace: true });
  }, [isGuided, asked, part, navigate]);
  const groups = (isGuided && parts[part]) || profileGroups;
  const isLast = !isGuided || part === parts.length - 1;
  const submit = form.handleSubmit(
    (body) => {
      if (!isLast) return show(part + 1);
      const save = async () => {
        await accept(call(api.updateProfile, { body }));
        form.kept?.forget();
        toast({ title: profile.saved });
        onSaved();
      };
      return run(shell.updateFailed, save, form.showServerErrors);
    },
    isLast ? undefined : groups.flatMap(fieldsOf),
  );

  return (
    // Each part starts at its top.
    <form key={part} noValidate onSubmit={submit} className="flex flex-col gap-6">
      <KeptLine form={form} words={typed} />
      {isGuided && (
        <div className="wide:hidden">
          <PiecesMat />
        </div>
      )}
      {groups.map((id, group) => (
        <fieldset key={id} className="grid gap-3.5 sm:grid-cols-2">
          <legend className="contents">
            <span className="block font-heading text-16 font-bold sm:col-span-2">
              {profile.groups[id].title}
              {isGuided && group === 0 && (
                <span className="float-right font-sans text-14 font-normal text-ink-soft">
                  {profile.part(part + 1)}
                </span>
              )}
            </span>
          </legend>
          <p className="-mt-3 text-14 text-ink-soft sm:col-span-2">{profile.groups[id].why}</p>
          {fieldsOf(id).map((name, field) => {
            const Field = name === 'fullName' ? NameField : TextField;
            return (
              <div key={name} className="sm:last:odd:col-span-2">
                <Field
                  {...form.field(name, profileReading(name))}
                  {...profileInput(name)}
                  label={verification.pieces[name]}
                  aside={factsOf(name).isOptional && profile.optional}
                  data-autofocus={name === missing ? '' : undefined}
                  autoFocus={isGuided && part > 0 && group + field === 0}
                />
                <Suggestions form={form} name={name} />
              </div>
            );
          })}
        </fieldset>
      ))}
      <p className="text-14 text-ink-soft">{consents.profile(lender().name)}</p>
      <DialogActions
        className="-mt-3!"
        cancel={
          isGuided && part > 0
            ? { disabled: busy, onClick: () => show(part - 1), children: apply.back }
            : {
                disabled: busy,
                onClick: () => {
                  // The guided form goes on with the values that were kept.
                  if (!isNew) form.kept?.forget();
                  onCancel();
                },
                children: shell.cancel,
              }
        }
      >
        <Button type="submit" busy={busy} busyLabel={session.pleaseWait}>
          {isLast ? profile.save : withdrawal.continue}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The Philippines, and the countries where most Filipinos abroad work. */
const countries = 'PH SA AE HK SG QA KW TW JP KR US CA GB IT ES AU NZ MY BH OM DE IE IL JO MO'.split(' ');

function suggestionsFor(name: ProfileField): readonly string[] {
  const { suggests } = factsOf(name);
  if (suggests === 'banks') return lender().partnerBanks.map((bank) => bank.name);
  if (suggests !== 'countries') return [];
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return countries.map((code) => String(names.of(code)).replace(' SAR China', ''));
}

const suggestionsMax = 2;

/** Offers names in which a word begins as typed, until the field holds one of them. */
function Suggestions({ form, name }: { form: SchemaForm<TypedProfile>; name: ProfileField }) {
  const { profile, verification } = useAccountWords();
  const [all] = useState(() => suggestionsFor(name));
  const typed = useFormValues(form)[name].trim().toLowerCase();
  const fitting = all.filter((option) => ` ${option.toLowerCase()}`.includes(` ${typed}`));
  if (fitting.length === 0 || fitting.some((option) => option.toLowerCase() === typed)) return null;
  return (
    <fieldset className="mt-2 flex flex-wrap gap-2">
      <legend className="sr-only">{profile.suggestions(verification.pieces[name])}</legend>
      {fitting.slice(0, suggestionsMax).map((option) => (
        <Button
          key={option}
          look="quiet"
          size="compact"
          className="bg-leaf-tint font-normal! text-ink!"
          onClick={() => {
            form.setValue(name, option);
            form.setFocus(name);
          }}
        >
          {option}
        </Button>
      ))}
    </fieldset>
  );
}
