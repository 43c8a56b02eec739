/**
 * Reasons that staff can choose when they deny an application. The English text is what is stored, as any reason in
 * staff's own words is; a borrower who reads Filipino gets the text beside it.
 */
export const denialReasons: Readonly<Record<string, string>> = {
  'The monthly instalment is too large a part of your salary.':
    'Masyadong malaki ang buwanang hulog kumpara sa suweldo mo.',
  'We could not confirm your work or your salary.': 'Hindi namin makumpirma ang trabaho o suweldo mo.',
  'We could not confirm the details on your ID.': 'Hindi namin makumpirma ang mga detalye sa ID mo.',
  'The photos of your ID or your selfie are not clear. You may take new ones and apply again.':
    'Hindi malinaw ang mga litrato ng ID o selfie mo. Puwede kang kumuha ng bago at mag-apply ulit.',
  'We could reach neither you nor your reference person.': 'Hindi ka namin makontak, pati ang reference mo.',
  'We could not reach you about your application.': 'Hindi ka namin makontak tungkol sa application mo.',
  'Another application or loan of yours is still open.': 'May isa ka pang application o loan na bukas pa.',
  'A loan with us is overdue. You may apply again once it is paid up to date.':
    'May overdue kang loan sa amin. Puwede kang mag-apply ulit kapag nabayaran na ang overdue.',
};
