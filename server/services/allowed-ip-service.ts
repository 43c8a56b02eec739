import { records } from '#contract/wording/server-words.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { canonicalIp, canonicalIpRange, ipRangeCovers } from '#server/platform/ip-address.ts';
import {
  type AllowedIpRow,
  deleteAllowedIps,
  insertAllowedIp,
  lockAllowedIps,
  readAllowedIps,
} from '#server/store/access-store.ts';
import { type ActBy, type Actor, audit } from './audit-service.ts';

/** The sender of a request (§forwarded-addresses). If the proxy did not name them, the address is the proxy's own. */
export type Sender = { address: string; isAddressKnown: boolean };

type Staff = Actor & Sender;

const covers = (entries: readonly AllowedIpRow[], { address, isAddressKnown }: Sender) =>
  isAddressKnown && entries.some(({ ipAddress }) => ipRangeCovers(ipAddress, address));

const allows = (entries: readonly AllowedIpRow[], sender: Sender) =>
  entries.length === 0 || covers(entries, sender);

/** True if staff may use the panel from there; an empty list allows all (§allow-list). */
export async function isAllowedSender(deps: Deps, sender: Sender): Promise<boolean> {
  return allows(await deps.database.read((reader) => readAllowedIps(reader)), sender);
}

export async function listAllowedIps(deps: Deps, staff: Staff) {
  const entries = await deps.database.read((reader) => readAllowedIps(reader));
  return entries.map((entry) => view(entry, staff));
}

const view = (entry: AllowedIpRow, sender: Sender) => ({ ...entry, coversCaller: covers([entry], sender) });

/**
 * Stores an address or range in its canonical form. The first entry also adds the caller's own address if it does not
 * cover it. It is refused while that address is hidden by a proxy, which is either not named in the settings or does not
 * name who sends a request: the proxy's address would be allowed instead.
 */
export async function addAllowedIp(
  act: ActBy<Staff>,
  form: { ipAddress: string; description?: string | undefined; isSenderHidden: boolean },
) {
  const { deps, tx, actor: staff } = act;
  const ipAddress = canonicalIpRange(form.ipAddress) ?? refuseField('ipAddress', 'ipInvalid');
  const entries = await lockAllowedIps(tx);
  // The guard checked before the lock; another request may have changed the list since.
  if (!allows(entries, staff)) fail('ip_not_allowed');
  if (entries.some((entry) => entry.ipAddress === ipAddress)) fail('ip_already_listed');
  if (entries.length === 0 && form.isSenderHidden) fail('proxy_not_named');
  if (entries.length === 0 && !staff.isAddressKnown) fail('sender_not_named');

  const add = async (address: string, description: string | null) => {
    const after = { ipAddress: address, description };
    const added = await insertAllowedIp(tx, { ...after, createdAt: deps.clock.now() });
    await audit(act, 'allowed_ip_added', { allowed_ip: added.id }, { after });
    return added;
  };
  const added = await add(ipAddress, form.description ?? null);
  if (!covers([...entries, added], staff)) {
    // Without this address the list would lock out the person who made it.
    await add(canonicalIp(staff.address) ?? fail('ip_not_allowed'), records.ownAddressAdded);
  }
  return view(added, staff);
}

/** The last entry may be removed, since an empty list allows all; otherwise the caller must stay covered. */
export async function removeAllowedIp(act: ActBy<Staff>, id: number): Promise<void> {
  const { tx, actor: staff } = act;
  const entries = await lockAllowedIps(tx);
  if (!allows(entries, staff)) fail('ip_not_allowed');
  const removed = entries.find((entry) => entry.id === id) ?? fail('not_found');
  const remaining = entries.filter((entry) => entry !== removed);
  if (remaining.length > 0 && !covers(remaining, staff)) fail('own_address');
  await deleteAllowedIps(tx, id);
  const { ipAddress, description } = removed;
  await audit(act, 'allowed_ip_removed', { allowed_ip: id }, { before: { ipAddress, description } });
}

/** Empties the list, so that staff may use any address. Returns how many entries it had. */
export async function clearAllowedIps(deps: Deps, actor: Actor): Promise<number> {
  return deps.database.transaction(async (tx) => {
    const entries = await lockAllowedIps(tx);
    await deleteAllowedIps(tx);
    const before = { ipAddresses: entries.map(({ ipAddress }) => ipAddress) };
    await audit({ deps, tx, actor }, 'allowed_ips_cleared', {}, { before });
    return entries.length;
  });
}
