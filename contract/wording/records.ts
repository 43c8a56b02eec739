/** Words that the server itself writes into its records, where staff read them. In English only, as the panel is. */
export const records = {
  mainAdminName: 'Main Admin',
  /** Stands where the name of a deleted member stood, once it is erased. */
  erasedName: 'Erased member',
  /** Description of the entry that keeps the caller's own access (contract section 6, Allowed IPs). */
  ownAddressAdded: 'Added so that you keep access',
};
