/** Words that the server itself writes into its records, where staff read them. In English only, as the panel is. */
export const records = {
  mainAdminName: 'Main Admin',
  /** Description of the entry that keeps the caller's own access (contract section 6, Allowed IPs). */
  ownAddressAdded: 'Added so that you keep access',
};
