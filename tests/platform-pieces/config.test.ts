import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { Lender } from '#contract/lender.ts';
import { readConfig } from '#server/config.ts';
import { checkLender } from '#server/lender-file.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { SettingError } from '#server/setting-error.ts';
import { photo } from '#tests/setup/photo.ts';
import { programOf } from '#tests/setup/program.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';

/** The line that a start with these settings ends with. */
function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  throw new Error('The settings were taken');
}

const key = Buffer.alloc(32, 7).toString('base64');
const bucket = {
  S3_ENDPOINT: 'https://storage.example.com',
  S3_BUCKET: 'documents',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: path.resolve('data'),
      trustProxy: [],
      loanMonthlyRate: 250,
      otpTtlHours: 24,
      rateServiceUrl: 'https://open.er-api.com/v6/latest/PHP',
      lender: sampleLender,
      messaging: { smsPerMinute: 120, smsDailyMax: 500 },
      rateLimitScale: 1,
      isSecondStepRequired: false,
      staffIdleMinutes: 60,
      logLevel: 'info',
    });
  });

  it('treats an empty or blank setting as unset', () => {
    const names = [
      ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'MAIN_ADMIN_PASSWORD', 'SECRET_KEY', 'TRUST_PROXY'],
      ...['PUBLIC_ORIGIN', 'LOAN_MONTHLY_RATE', 'OTP_TTL_HOURS', 'RATE_SERVICE_URL', 'S3_ENDPOINT'],
      ...['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_REGION', 'LENDER_CONFIG'],
      ...[
        'RATE_LIMIT_SCALE',
        'METRICS_TOKEN',
        'LOG_LEVEL',
        'DEMO_DATE',
        'STAFF_SECOND_STEP',
        'STAFF_IDLE_MINUTES',
      ],
    ];
    for (const nothing of ['', '  ']) {
      expect(readConfig(Object.fromEntries(names.map((name) => [name, nothing])))).toEqual(readConfig({}));
    }
  });

  it('takes a demo day that the calendar has', () => {
    for (const day of ['2027-02-30', 'tomorrow', '1999-12-31', '2100-01-01', '2027-2-1']) {
      expect(refusal({ DEMO_DATE: day })).toBe(
        `DEMO_DATE must be a day from 2000-01-01 to 2099-12-31, not "${day}"`,
      );
    }
    expect(readConfig({ DEMO_DATE: '2028-02-29' }).demoDate).toBe('2028-02-29');
  });

  it('reads every setting', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '::1',
      DATA_DIR: '/srv/hiram',
      DATABASE_URL: 'postgres://user:p%40ss@db1:5432,db2:5433/hiram?target_session_attrs=read-write',
      MAIN_ADMIN_PASSWORD: ' with spaces ',
      SECRET_KEY: key,
      TRUST_PROXY: '10.1.2.3/8, ::ffff:192.0.2.1 ,2001:db8::/32',
      PUBLIC_ORIGIN: 'https://App.Example.com:8443/',
      LOAN_MONTHLY_RATE: '1.75',
      OTP_TTL_HOURS: '48',
      RATE_SERVICE_URL: 'http://127.0.0.1:9/rates?base=PHP',
      ...bucket,
      RATE_LIMIT_SCALE: '0.5',
      METRICS_TOKEN: 'scrape-me',
      LOG_LEVEL: 'silent',
      DEMO_DATE: '2027-02-01',
      STAFF_SECOND_STEP: 'required',
      STAFF_IDLE_MINUTES: '0',
      SMS_GATEWAY: 'file',
      SMS_PER_MINUTE: '60',
      SMS_DAILY_MAX: '10',
      SMTP_URL: 'file:',
      MAIL_FROM: 'Hiram <loans@example.com>',
    });
    expect(config).toEqual({
      port: 0,
      host: '::1',
      dataDir: '/srv/hiram',
      databaseUrl: 'postgres://user:p%40ss@db1:5432,db2:5433/hiram?target_session_attrs=read-write',
      mainAdminPassword: ' with spaces ',
      secretKey: Buffer.alloc(32, 7),
      trustProxy: ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'],
      publicOrigin: 'https://app.example.com:8443',
      loanMonthlyRate: 175,
      otpTtlHours: 48,
      rateServiceUrl: 'http://127.0.0.1:9/rates?base=PHP',
      bucket: {
        endpoint: 'https://storage.example.com/',
        name: 'documents',
        accessKeyId: 'id',
        secretAccessKey: 'secret',
        region: 'us-east-1',
      },
      lender: sampleLender,
      messaging: {
        smsPerMinute: 60,
        smsDailyMax: 10,
        sms: { gateway: 'file' },
        email: { gateway: 'file' },
      },
      rateLimitScale: 0.5,
      metricsToken: 'scrape-me',
      logLevel: 'silent',
      demoDate: '2027-02-01',
      isSecondStepRequired: true,
      staffIdleMinutes: 0,
    });
  });

  it.each([
    'postgres://localhost/hiram',
    'postgresql://hiram@db:5432/hiram',
    'postgres://u:p@[::1]:5432/hiram',
    'postgres://u:p@a,b,c/hiram',
    'postgres:///hiram?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/hiram',
  ])('takes the database address %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['0.01', 1],
    ['2.5', 250],
    ['10', 1_000],
    ['10.00', 1_000],
  ])('takes %s percent a month', (written, rate) => {
    expect(readConfig({ LOAN_MONTHLY_RATE: written }).loanMonthlyRate).toBe(rate);
  });

  const semaphore = { SMS_GATEWAY: 'semaphore', SMS_API_KEY: 'a-key-that-is-secret', SMS_SENDER: 'HIRAM' };

  it('reads the gateways of messages', () => {
    const { sms, email } = readConfig({
      ...semaphore,
      SMTP_URL: 'smtps://user:p%40ss@mail.example.com:465',
      MAIL_FROM: '"Hiram, loans" <loans@example.com>',
    }).messaging;
    const url = 'https://api.semaphore.co';
    expect(sms).toEqual({ gateway: 'semaphore', apiKey: 'a-key-that-is-secret', sender: 'HIRAM', url });
    expect(email).toEqual({
      gateway: 'smtp',
      url: 'smtps://user:p%40ss@mail.example.com:465',
      from: { name: 'Hiram, loans', address: 'loans@example.com' },
    });
  });

  it.each<[NodeJS.ProcessEnv, RegExp]>([
    [{ SMS_GATEWAY: 'twilio' }, /^SMS_GATEWAY /],
    [{ ...semaphore, SMS_API_KEY: '' }, /^SMS_API_KEY /],
    [{ ...semaphore, SMS_SENDER: '' }, /^SMS_SENDER /],
    [{ ...semaphore, SMS_SENDER: 'TWELVELETTER' }, /^SMS_SENDER /],
    [{ ...semaphore, SMS_URL: 'http://sms.example.com' }, /^SMS_URL /],
    [{ ...semaphore, SMS_PER_MINUTE: '0' }, /^SMS_PER_MINUTE /],
    [{ ...semaphore, SMS_DAILY_MAX: 'many' }, /^SMS_DAILY_MAX /],
    [{ ...semaphore, DEMO_DATE: '2027-02-01' }, /^SMS_GATEWAY /],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'A <a@b.ph>' }, /^SMTP_URL /],
    [{ SMTP_URL: 'file:' }, /^MAIL_FROM /],
    [{ SMTP_URL: 'file:', MAIL_FROM: 'loans@example.com' }, /^MAIL_FROM /],
    [{ SMTP_URL: 'smtps://mail.ph', MAIL_FROM: 'A <a@b.ph>', DEMO_DATE: '2027-02-01' }, /^SMTP_URL /],
  ])('refuses %j', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence);
  });

  it('never shows a value of the gateways', () => {
    const secret = 'smtp://user:hunter2@';
    for (const name of ['SMTP_URL', 'SMS_URL', 'MAIL_FROM', 'SMS_SENDER', 'SMS_API_KEY'])
      expect(() => readConfig({ ...semaphore, [name]: ` ${secret}\u0001 ` })).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
      );
  });

  it('takes a gateway on this machine without TLS', () => {
    const { sms } = readConfig({ ...semaphore, SMS_URL: 'http://127.0.0.1:9' }).messaging;
    expect(sms).toMatchObject({ url: 'http://127.0.0.1:9/' });
  });

  it('says the whole sentence', () => {
    expect(refusal({ PORT: 'abc' })).toBe('PORT must be a whole number from 0 to 65535, not "abc"');
    expect(refusal({ LOAN_MONTHLY_RATE: '25' })).toBe(
      'LOAN_MONTHLY_RATE must be a percentage from 0.01 to 10 with at most two decimals, not "25"',
    );
    expect(refusal({ LOG_LEVEL: 'loud' })).toBe(
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    );
    expect(refusal({ TRUST_PROXY: '10.0.0.1, 10.1' })).toBe(
      'TRUST_PROXY must list addresses or CIDR ranges separated by commas, not "10.1"',
    );
    expect(refusal({ MAIN_ADMIN_PASSWORD: '12345' })).toBe(
      'MAIN_ADMIN_PASSWORD must have 6 to 200 characters',
    );
  });

  const refusedValues: Record<string, string[]> = {
    PORT: ['-1', '65536', '80.5', '0x50', '1e3', '８０', 'three'],
    HOST: ['two words', 'http://x', 'a/b'],
    DATABASE_URL: [
      ...['mysql://h/db', 'h:5432/db', 'postgres:h', 'postgres://h:port/db', 'postgres://a:1,b:99999/db'],
      // Passwords of a generator, as they are.
      ...[
        'postgres://u:a/b+c=@h/db',
        'postgres://u:a@b@h/db',
        'postgres://u:a#b@h/db',
        'postgres://u:a%b@h/db',
      ],
    ],
    MAIN_ADMIN_PASSWORD: ['12345', 'x'.repeat(201)],
    SECRET_KEY: ['short', `${key}AAAA`, Buffer.alloc(16).toString('base64'), `${key.slice(0, -2)}*=`],
    TRUST_PROXY: ['yes', '10.1', '10.0.0.0/33', '10.0.0.1;10.0.0.2', 'loopback', 'true'],
    PUBLIC_ORIGIN: [
      ...['app.example.com', 'https://x.example/path', 'https://x.example?q', 'ftp://x.example', '*'],
      'https://u:p@x',
    ],
    LOAN_MONTHLY_RATE: ['0', '0.001', '2.555', '-1', '10.01', '2,5', '2.5%', 'NaN', '1e1'],
    OTP_TTL_HOURS: ['0', '721', '1.5', '-24', 'day'],
    RATE_SERVICE_URL: ['file:///etc/passwd', 'open.er-api.com', 'javascript:1'],
    RATE_LIMIT_SCALE: ['0', '-1', 'Infinity', '1e400', 'ten', '0.0000000000001'],
    METRICS_TOKEN: ['two words', 'line\nbreak', 'ümlaut'],
    LOG_LEVEL: ['INFO', 'verbose'],
    STAFF_SECOND_STEP: ['yes', 'Required', 'required,'],
    STAFF_IDLE_MINUTES: ['-1', '1441', '1.5', 'never'],
    S3_ENDPOINT: ['storage.example.com'],
  };

  it.each(
    Object.entries(refusedValues).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  )('refuses %s=%j with one line that names it', (name, value) => {
    const line = refusal({ [name]: value });
    expect(line.startsWith(`${name} `)).toBe(true);
    expect(line).not.toContain('\n');
    expect(line.length).toBeLessThan(250);
  });

  it.each(['DATABASE_URL', 'MAIN_ADMIN_PASSWORD', 'SECRET_KEY', 'METRICS_TOKEN'])(
    'never repeats %s',
    (name) => {
      const line = refusal({ [name]: name === 'MAIN_ADMIN_PASSWORD' ? 'hun22' : 'hun22 :// hun22' });
      expect(line).not.toContain('hun22');
    },
  );

  it('needs all settings of the bucket or none', () => {
    for (const missing of Object.keys(bucket)) {
      const rest = Object.fromEntries(Object.entries(bucket).filter(([name]) => name !== missing));
      expect(refusal(rest)).toBe(`${missing} must be set too when any S3_ setting is`);
    }
    expect(refusal({ S3_REGION: 'ap-southeast-1' })).toContain('S3_ENDPOINT');
    expect(readConfig({ ...bucket, S3_REGION: 'ap-southeast-1' }).bucket?.region).toBe('ap-southeast-1');
  });
});

describe('LENDER_CONFIG', () => {
  const own = { ...sampleLender, isSample: false, name: 'A Lender of Its Own' };
  const {
    tradeName,
    certificateOfAuthorityNumber,
    supportHours,
    dataProtectionOfficer,
    branches,
    paymentAccounts = [],
    decisionDays,
    ...withoutWhatCameLater
  } = own;

  async function withFile(content: string, pictures: Record<string, string | Buffer> = {}) {
    const folder = temporaryDirectory();
    const files = { 'lender.json': content, ...pictures };
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
    return { LENDER_CONFIG: path.join(folder, 'lender.json') };
  }

  it('replaces the sample lender', async () => {
    expect(readConfig(await withFile(`\ufeff${JSON.stringify(own)}`)).lender).toEqual(own);
    const { lender } = readConfig(await withFile(JSON.stringify(withoutWhatCameLater)));
    expect(lender).toEqual(withoutWhatCameLater);
  });

  it('of a real lender leaves no room for a demo', async () => {
    const env = { ...(await withFile(JSON.stringify({ ...own, isSample: false }))), DEMO_DATE: '2027-02-01' };
    expect(refusal(env)).toBe('DEMO_DATE is for the sample lender only, and LENDER_CONFIG names a real one');
  });

  it.each([
    [{ ...own, name: undefined }, '"name" is missing'],
    [{ ...own, name: ' ' }, '"name" must not be empty'],
    [{ ...own, tradeName: 'x'.repeat(61) }, '"tradeName" must not be longer than 60 characters'],
    [{ ...own, isSample: 'no' }, '"isSample" must be true or false'],
    [
      { ...own, registrationDate: '14 November 2014' },
      '"registrationDate" must be a date such as 2014-11-14',
    ],
    [{ ...own, registryUrl: 'javascript:alert(1)' }, '"registryUrl" must begin with http:// or https://'],
    [{ ...own, regulators: [{ name: 'A' }] }, '"regulators[0].shortName" is missing'],
    [{ ...own, branches: 'Gapan' }, '"branches" must be a list in [ ]'],
    [{ ...own, payoutChannels: [] }, '"payoutChannels" must not be empty'],
    [{ ...own, supportEmail: 'x'.repeat(301) }, '"supportEmail" must not be longer than 300 characters'],
    [
      { ...own, partnerBanks: Array(25).fill({ name: 'A' }) },
      '"partnerBanks" must not have more than 24 entries',
    ],
    [{ ...own, TradeName: 'A' }, '"TradeName" is no field of this file; did you mean "tradeName"?'],
    [
      { ...own, branches: [{ name: 'A', adress: 'B', address: 'B' }] },
      '"branches[0].adress" is no field of this file; did you mean "address"?',
    ],
    [
      { ...own, dataProtectionOfficer: { name: 'A', email: 'a@b', _comment: '' } },
      '"dataProtectionOfficer._comment" is no field of this file',
    ],
    [
      { ...own, contactHours: { from: '08:00', to: '19:60' } },
      '"contactHours.to" must be a time such as 08:00',
    ],
    [
      { ...own, paymentAccounts: [{ ...paymentAccounts[0], channel: 'wallet' }] },
      '"paymentAccounts[0].channel" must be one of cash, bank_transfer, instapay, pesonet, gcash, maya, cheque',
    ],
    [
      { ...own, paymentAccounts: [{ ...paymentAccounts[0], accountNumber: undefined }] },
      '"paymentAccounts[0].accountNumber" is missing',
    ],
    [{ ...own, decisionDays: 0 }, '"decisionDays" must be at least 1'],
    [{ ...own, decisionDays: 61 }, '"decisionDays" must be at most 60'],
    [{ ...own, decisionDays: 1.5 }, '"decisionDays" must be a whole number'],
    [
      { ...own, contactHours: { from: '08:00', to: '21:00' } },
      '"contactHours" must be within 08:00 to 20:00 and begin before they end',
    ],
    [
      { ...own, contactHours: { from: '9am', to: '18:00' } },
      '"contactHours.from" must be a time such as 08:00',
    ],
    [{ ...own, colour: 'green' }, '"colour" must be a colour such as #0b6e5f'],
    [
      { ...own, colour: '#f7a823' },
      '"colour" is too light to be read: its contrast is 1.78, where text needs 4.5; take a darker one',
    ],
    [[], 'the whole must be fields in { }'],
  ])('names the field that is wrong (%#)', async (content, complaint) => {
    const env = await withFile(JSON.stringify(content));
    expect(refusal(env)).toBe(`LENDER_CONFIG names ${env.LENDER_CONFIG}, in which ${complaint}`);
  });

  it('reports everything that is wrong at once, a line each', async () => {
    const { name, ...unnamed } = own;
    const banks = [{ name: 'A', logo: 'none.png' }];
    const wrong = { ...unnamed, nmae: name, status: 1, colour: '#f7a823', partnerBanks: banks };
    const env = await withFile(JSON.stringify(wrong));
    expect(refusal(env).split('\n')).toEqual([
      `LENDER_CONFIG names ${env.LENDER_CONFIG}, in which 5 things are wrong:`,
      '  "name" is missing',
      '  "status" must be a text in quotes',
      '  "nmae" is no field of this file; did you mean "name"?',
      '  "colour" is too light to be read: its contrast is 1.78, where text needs 4.5; take a darker one',
      `  "partnerBanks[0].logo" names ${path.dirname(env.LENDER_CONFIG)}/none.png, which is not there`,
    ]);
  });

  it('says when the file is not there, not a file or not JSON', async () => {
    const directory = temporaryDirectory();
    await mkdir(path.join(directory, 'folder'));
    const refused = (name: string) => refusal({ LENDER_CONFIG: path.join(directory, name) });
    expect(refused('missing.json')).toBe(
      `LENDER_CONFIG names ${directory}/missing.json, which cannot be read (ENOENT)`,
    );
    expect(refused('folder')).toMatch(/cannot be read \(EISDIR\)$/);
    expect(refusal(await withFile('{ name: }'))).toMatch(/^LENDER_CONFIG names .*, which is not valid JSON$/);
    expect(refusal(await withFile('{\n  "name": "A",\n  b'))).toMatch(/ \(line 3, column 3\), which is not/);
  });

  describe('logos', () => {
    const svg = '<?xml version="1.0"?>\n<!-- by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
    const code = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9H0z"/></svg>';
    const seal = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>';

    it('are read from the file’s folder, and their addresses replace their names', async () => {
      const dataUri = 'data:image/png;base64,iVBORw0KGgo=';
      const [jpeg, png, webp] = await Promise.all([
        photo(),
        sharp(await photo())
          .png()
          .toBuffer(),
        sharp(await photo())
          .webp()
          .toBuffer(),
      ]);
      const partnerBanks = ['a.jpg', './b.PNG', 'c.webp', 'c.webp', dataUri].map((logo, index) => ({
        name: `Bank ${index}`,
        logo,
      }));
      const pictures = {
        'logo.svg': svg,
        'seal.svg': seal,
        'code.svg': code,
        'a.jpg': jpeg,
        'b.PNG': png,
        'c.webp': webp,
      };
      const regulators = [{ name: 'Test commission', shortName: 'Commission T', logo: 'seal.svg' }];
      const [account] = paymentAccounts;
      const accounts = ['code.svg', undefined].map((qrImage) => ({ ...account, qrImage }));
      const file = JSON.stringify({
        ...own,
        logo: 'logo.svg',
        regulators,
        partnerBanks,
        paymentAccounts: accounts,
      });
      const { lender, lenderPictures = [] } = readConfig(await withFile(file, pictures));
      expect(lenderPictures.map(({ contentType, bytes }) => [contentType, bytes])).toEqual([
        ['image/svg+xml', Buffer.from(svg)],
        ['image/svg+xml', Buffer.from(seal)],
        ['image/svg+xml', Buffer.from(code)],
        ['image/jpeg', jpeg],
        ['image/png', png],
        ['image/webp', webp],
      ]);
      const served = lenderPictures.map(({ path: address }) => address);
      for (const address of served) expect(address).toMatch(/^\/lender\/[\da-f]{16}\.(svg|jpeg|png|webp)$/);
      const shown = [lender, ...lender.regulators, ...lender.partnerBanks].map(({ logo }) => logo);
      const [ownLogo, itsSeal, itsCode, ...banks] = served;
      expect(shown).toEqual([ownLogo, itsSeal, ...banks, banks.at(-1), dataUri]);
      expect(lender.paymentAccounts?.map(({ qrImage }) => qrImage)).toEqual([itsCode, undefined]);
    });

    it.each([
      ['https://example.com/logo.png', 'must be the name of a picture beside this file, not an address'],
      ['data:image/png;base64,AAAA', 'must be the name of a picture beside this file, not an address'],
      ['../logo.svg', 'must name a picture in the folder of this file'],
      ['/etc/passwd', 'must name a picture in the folder of this file'],
      ['.', 'must name a picture in the folder of this file'],
      ['link.svg', 'must name a picture in the folder of this file'],
      ['none.png', 'names FOLDER/none.png, which is not there'],
      ['folder', 'names FOLDER/folder, which cannot be read (EISDIR)'],
      ['page.svg', 'names FOLDER/page.svg, which is no PNG, JPEG, WebP or SVG picture'],
      ['large.svg', 'names FOLDER/large.svg, which is larger than 200 kB'],
    ])('at %s are refused', async (logo, complaint) => {
      const { LENDER_CONFIG } = await withFile(JSON.stringify({ ...own, logo }), {
        'page.svg': `<html>${svg}</html>`,
        'large.svg': svg.padEnd(200_001),
      });
      const folder = path.dirname(LENDER_CONFIG);
      await mkdir(path.join(folder, 'folder'));
      const elsewhere = path.join(temporaryDirectory(), 'logo.svg');
      await writeFile(elsewhere, svg);
      await symlink(elsewhere, path.join(folder, 'link.svg'));
      expect(refusal({ LENDER_CONFIG })).toBe(
        `LENDER_CONFIG names ${LENDER_CONFIG}, in which "logo" ${complaint.replace('FOLDER', folder)}`,
      );
    });
  });

  describe('checked without starting', () => {
    const check = (file: string) =>
      spawnSync(process.execPath, [...programOf('books/console'), 'lender-check', file], {
        encoding: 'utf8',
      });

    it('exits with code 1 and everything that is wrong for an unusable file', async () => {
      const { LENDER_CONFIG } = await withFile(JSON.stringify({ ...own, name: '', status: '' }));
      const { status, stderr } = check(LENDER_CONFIG);
      expect([status, stderr]).toEqual([1, `${refusal({ LENDER_CONFIG })}\n`]);
      expect(stderr).toContain('2 things are wrong');
    });

    it('finds a picture that only begins well', async () => {
      const damaged = (
        await sharp(await photo())
          .webp()
          .toBuffer()
      ).subarray(0, 60);
      const file = JSON.stringify({ ...own, partnerBanks: [{ name: 'A', logo: 'a.webp' }] });
      const { status, stderr } = check((await withFile(file, { 'a.webp': damaged })).LENDER_CONFIG);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/the picture .*a\.webp, which is damaged/)]);
    });

    it('names every fault in one run, damaged pictures too', async () => {
      const whole = await sharp(await photo())
        .webp()
        .toBuffer();
      const file = JSON.stringify({
        ...own,
        colour: '#ffff00',
        decisionDays: 0,
        logo: 'gone.png',
        partnerBanks: [
          { name: 'A', logo: 'a.webp' },
          { name: 'B', logo: 'b.webp' },
        ],
      });
      const pictures = { 'a.webp': whole.subarray(0, 60), 'b.webp': whole.subarray(0, 50) };
      const { status, stderr } = check((await withFile(file, pictures)).LENDER_CONFIG);
      expect(status).toBe(1);
      for (const field of ['colour', 'decisionDays', 'logo', 'partnerBanks[0].logo', 'partnerBanks[1].logo'])
        expect(stderr).toContain(`"${field}"`);
      expect(stderr).toContain('5 things are wrong');
    });

    it('says what a usable file lacks, and what it still has of the example', async () => {
      const said: string[] = [];
      const env = await withFile(
        JSON.stringify({
          ...withoutWhatCameLater,
          contactHours: { from: '08:00', to: '20:00' },
          supportPhone: '12',
          supportEmail: 'support',
        }),
      );
      await checkLender([env.LENDER_CONFIG], (line) => said.push(line));
      const text = said.join('\n');
      expect(text).toContain('Pages will be headed "A Lender of Its Own"');
      expect(text).toMatch(/"certificateOfAuthorityNumber" is not given: SEC MC 19/);
      expect(text).toMatch(/Still as in the example: registrationNumber, address, /);
      expect(text).not.toContain('isSample');
      expect(text).not.toContain('contactHours');
      expect(text).toContain('Nobody can be reached there: supportPhone (12), supportEmail (support).');
    });

    it('the example has every field, openly sample, and only sample values', async () => {
      const example = await readFile('lender.example.json', 'utf8');
      const { lender, lenderPictures } = readConfig({ LENDER_CONFIG: 'lender.example.json' });
      expect(Object.keys(JSON.parse(example))).toEqual(Object.keys(Lender.shape));
      const plain = ({ logo, colour, qrImage, ...others }: Record<string, unknown>) => others;
      expect({
        ...plain(lender),
        paymentAccounts: lender.paymentAccounts?.map(plain),
        partnerBanks: lender.partnerBanks.map(plain),
      }).toEqual(sampleLender);
      expect(lenderPictures).toHaveLength(3);
      const said: string[] = [];
      await checkLender(['lender.example.json'], (line) => said.push(line));
      expect(said.join('\n')).toContain('"isSample" is true');
    });

    it('and docs/lender.md explains every one', async () => {
      const explained = await readFile('docs/lender.md', 'utf8');
      const fields = Object.keys(Lender.shape).filter((field) => !explained.includes(`\`${field}\``));
      expect(fields).toEqual([]);
    });
  });
});

describe('the sample lender', () => {
  it('fits its schema and says openly that it is a sample', () => {
    expect(Lender.parse(sampleLender)).toEqual(sampleLender);
    expect(sampleLender).toMatchObject({
      isSample: true,
      name: 'Hiram Lending Corporation (sample)',
      registrationDate: '2014-11-14',
      status: 'Registered',
      address: expect.stringContaining('Nueva Ecija'),
      payoutChannels: ['Mobile wallet A', 'Mobile wallet B', 'Bank Transfer'],
    });
  });
});
