import type { Lender } from '#contract/lender.ts';

/** Openly a sample, as every page says: none of these names, numbers and addresses is anybody's (§lender). */
export const sampleLender: Lender = {
  isSample: true,
  name: 'Hiram Lending Corporation (sample)',
  tradeName: 'Hiram',
  registrationNumber: 'CS-SAMPLE-0000',
  certificateOfAuthorityNumber: 'CA-SAMPLE-0000',
  registrationDate: '2014-11-14',
  status: 'Registered',
  address: 'Sample Street, Cabanatuan City, Nueva Ecija, Philippines',
  registryUrl: 'https://example.com/lender-registry',
  regulators: [
    { name: 'Securities regulator (sample)', shortName: 'Regulator A' },
    { name: 'Data privacy regulator (sample)', shortName: 'Regulator B' },
    { name: 'Central bank (sample)', shortName: 'Regulator C' },
  ],
  payoutChannels: ['Mobile wallet A', 'Mobile wallet B', 'Bank Transfer'],
  partnerBanks: [
    { name: 'Bank A' },
    { name: 'Bank B' },
    { name: 'Bank C' },
    { name: 'Wallet A' },
    { name: 'Wallet B' },
  ],
  supportPhone: '+63 900 000 0000',
  supportEmail: 'support@lender.example',
  supportHours: 'Monday to Friday, 8:00 to 17:00 (sample)',
  dataProtectionOfficer: {
    name: 'Data Protection Officer (sample)',
    email: 'privacy@lender.example',
    phone: '+63 900 000 0000',
  },
  branches: [
    {
      name: 'Gapan branch (sample)',
      address: 'Sample Avenue, Gapan City',
      hours: 'Monday to Friday, 8:00 to 17:00 (sample)',
      phone: '+63 900 000 0000',
    },
  ],
};
