import { accountChannels, type PaymentChannel, wayOf } from '#domain/payment.ts';
import { lender } from '#web/lib/lender.ts';

type Way = ReturnType<typeof wayOf>;

/** Returns the ways in which this lender takes payments, and its accounts of each. */
export function waysToPay() {
  const { paymentAccounts = [], branches = [] } = lender();
  const accountsOf = (way: Way) => paymentAccounts.filter(({ channel }) => wayOf(channel) === way);
  const ways = (['wallet', 'bank', 'cash'] as const).filter(
    (way) =>
      accountsOf(way).length > 0 || (way === 'cash' && paymentAccounts.length > 0 && branches.length > 0),
  );
  return { ways, accountsOf };
}

/** Returns the channels of *Paid through*. Cash is one of them where the lender takes it. */
export function channelsPaidThrough(): PaymentChannel[] {
  const { ways } = waysToPay();
  return accountChannels.filter(
    (channel) => wayOf(channel) !== 'cash' || ways.length === 0 || ways.includes('cash'),
  );
}
