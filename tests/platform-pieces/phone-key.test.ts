import { describe, expect, it } from 'vitest';
import { phoneKey } from '#server/platform/phone-key.ts';

describe('phoneKey', () => {
  it.each([
    '09171234567',
    '+63 917 123 4567',
    '639171234567',
    '9171234567',
    '0917-123-4567',
    '(0917) 123 4567',
    '00639171234567',
    ' +63.917.123.4567 ',
    '０９１７１２３４５６７',
  ])('reads %s as the one Philippine mobile number', (text) => {
    expect(phoneKey(text)).toBe('+639171234567');
  });

  it('keeps numbers of other countries apart', () => {
    expect(phoneKey('+1 415 555 2671')).toBe('+14155552671');
    expect(phoneKey('+65 9123 4567')).toBe('+6591234567');
  });

  it('does not take an extension for the number itself', () => {
    expect(phoneKey('09171234567 ext. 5')).not.toBe(phoneKey('09171234567'));
  });

  it.each([
    ['admin', 'admin'],
    ['call 09171234567 now', 'call09171234567now'],
    ['+999 123 456 789', '+999123456789'],
    ['12345678901234567890', '12345678901234567890'],
    ['front–desk 12', 'frontdesk12'],
    ['', ''],
  ])('compares %j, which is not a number, as %j', (text, key) => {
    expect(phoneKey(text)).toBe(key);
  });
});
