import { centavos, formatPeso, formatWholePeso } from '#domain/money.ts';
import { costOf } from './cost.ts';

/** Makes the repayment card calculate: the same rules as the server's quote, run where the slider is. */
export function startCalculator(form: HTMLFormElement): void {
  const slider = form.elements.namedItem('amount');
  const { perMonth } = form.dataset;
  const monthlyRate = Number(form.dataset.monthlyRate);
  if (!(slider instanceof HTMLInputElement) || perMonth === undefined) return;
  const outs = new Map(
    [...form.querySelectorAll<HTMLElement>('[data-out]')].map((out) => [out.dataset.out, out]),
  );
  const write = (name: string, text: string) => {
    const out = outs.get(name);
    if (out) out.textContent = text;
  };

  const update = () => {
    const amount = centavos(slider.valueAsNumber * 100);
    const termMonths = Number(new FormData(form).get('termMonths'));
    const cost = costOf(amount, termMonths, monthlyRate);
    const amountText = formatWholePeso(amount);
    const min = Number(slider.min);
    slider.style.setProperty('--ratio', String((slider.valueAsNumber - min) / (Number(slider.max) - min)));
    slider.setAttribute('aria-valuetext', amountText);
    write('amount', amountText);
    write('monthly', formatPeso(cost.monthlyPaymentCentavos));
    write('total', formatPeso(cost.totalPaymentCentavos));
    write('cost', formatPeso(cost.costOfCreditCentavos));
    write('rate', perMonth.replace('{percent}', cost.effectiveMonthlyPercent));
  };

  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => event.preventDefault());
  // The browser may bring back the values of an earlier visit.
  update();
}
