import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '#domain/limits.ts';
import { Overloaded } from '#server/platform/bounded-queue.ts';
import { createImages, NotAnImage, PictureTooLarge } from '#server/platform/images.ts';
import { sampleOf } from '#tests/setup/torture.ts';

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

function decoders(bounds?: Parameters<typeof createImages>[0]) {
  const images = createImages(bounds);
  closing.push(images.close);
  return images;
}

const images = decoders();

/** A picture with something in every corner: left half dark, right half bright, and grain that resists compression. */
function picture(widthPx: number, heightPx: number, channels: 3 | 4 = 3) {
  const pixels = Buffer.alloc(widthPx * heightPx * channels);
  for (let index = 0; index < pixels.length; index += 1) {
    const column = Math.floor(index / channels) % widthPx;
    pixels[index] = (column < widthPx / 2 ? 20 : 220) + ((index * 7_919) % 31);
  }
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels } });
}

const jpeg = await picture(400, 300).jpeg().toBuffer();
const progressive = await picture(400, 300).jpeg({ progressive: true }).toBuffer();
const png = await picture(400, 300, 4).png().toBuffer();
const interlaced = await picture(400, 300).png({ progressive: true }).toBuffer();
const webp = await picture(400, 300, 4).webp().toBuffer();
const gif = await picture(400, 300).gif().toBuffer();
const tiff = await picture(400, 300).tiff().toBuffer();
const avif = await picture(400, 300).avif({ effort: 0 }).toBuffer();

describe('what is taken', () => {
  it.each([
    ['JPEG', jpeg, 'image/jpeg', 'jpeg'],
    ['progressive JPEG', progressive, 'image/jpeg', 'jpeg'],
    ['PNG', png, 'image/png', 'png'],
    ['interlaced PNG', interlaced, 'image/png', 'png'],
    ['WebP', webp, 'image/webp', 'webp'],
    ['GIF', gif, 'image/png', 'png'],
    ['AVIF, the HEIF that the decoder reads', avif, 'image/jpeg', 'jpeg'],
  ])('%s', async (_, bytes, contentType, format) => {
    const read = await images.readImage(bytes);
    expect(read).toMatchObject({ contentType, widthPx: 400, heightPx: 300 });
    const stored = await sharp(read.bytes).metadata();
    expect(stored).toMatchObject({ format, width: 400, height: 300, space: 'srgb' });
  });

  it('the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 32, height: 32, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    for (const animation of [
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    ]) {
      const read = await images.readImage(animation);
      expect(read).toMatchObject({ widthPx: 32, heightPx: 32 });
      const { channels } = await sharp(read.bytes).stats();
      expect(channels[0]?.mean).toBeGreaterThan(240);
      expect(channels[2]?.mean).toBeLessThan(15);
    }
  });

  it('JPEGs with the small flaws of some phones, and with a video after the picture', async () => {
    const junkBeforeEnd = Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(3), jpeg.subarray(-2)]);
    const film = Buffer.concat([jpeg, Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(50_000, 0x5a)]);
    for (const bytes of [junkBeforeEnd, film]) {
      const read = await images.readImage(bytes);
      expect(read).toMatchObject({ widthPx: 400, heightPx: 300 });
      expect(read.bytes.includes('ftypmp42')).toBe(false);
    }
  });

  it('grey, CMYK and 16-bit images, which become sRGB', async () => {
    const unusual = [
      await picture(64, 64).greyscale().jpeg().toBuffer(),
      await picture(64, 64).toColourspace('cmyk').jpeg().toBuffer(),
      await picture(64, 64).toColourspace('rgb16').png().toBuffer(),
    ];
    for (const bytes of unusual) {
      const { bytes: stored } = await images.readImage(bytes);
      expect(await sharp(stored).metadata()).toMatchObject({ depth: 'uchar', space: 'srgb' });
    }
  });
});

describe('what is stored', () => {
  const gps = {
    IFD0: { Make: 'SampleCamera', ImageDescription: 'SampleDescription' },
    IFD3: {
      GPSLatitudeRef: 'N',
      GPSLatitude: '15/1 29/1 2400/100',
      GPSLongitudeRef: 'E',
      GPSLongitude: '120/1',
    },
  };

  it.each([
    ['JPEG', () => picture(40, 30).withExif(gps).jpeg().toBuffer()],
    ['PNG', () => picture(40, 30).withExif(gps).png().toBuffer()],
    ['WebP', () => picture(40, 30).withExif(gps).webp().toBuffer()],
    ['AVIF', () => picture(40, 30).withExif(gps).avif({ effort: 0 }).toBuffer()],
  ])('carries no EXIF, GPS, XMP or colour profile of a %s', async (_, make) => {
    const bytes = await make();
    const before = await sharp(bytes).metadata();
    expect(before.exif?.includes('SampleCamera')).toBe(true);
    const { bytes: stored } = await images.readImage(bytes);
    const { exif, xmp, iptc, icc, orientation } = await sharp(stored).metadata();
    expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
    for (const trace of ['SampleCamera', 'SampleDescription', 'Exif', 'GPS']) {
      expect(stored.includes(trace)).toBe(false);
    }
  });

  it('carries no comment and no text of the source', async () => {
    const comment = Buffer.from('private remark');
    const segment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, comment.length + 2]), comment]);
    const commented = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
    const annotated = Buffer.concat([
      png.subarray(0, 33),
      pngChunk('tEXt', Buffer.from('Author\0private remark')),
      png.subarray(33),
    ]);
    for (const bytes of [commented, annotated]) {
      expect((await images.readImage(bytes)).bytes.includes('private remark')).toBe(false);
    }
  });

  it('is rotated as its EXIF orientation asked', async () => {
    // Orientation 6: turn a quarter clockwise, so the dark left half ends on top.
    const lying = await picture(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const read = await images.readImage(lying);
    expect(read).toMatchObject({ widthPx: 30, heightPx: 40 });
    // `stats` looks at its input, not at what was cut out of it, hence the pixels in between.
    const brightness = async (top: number) => {
      const half = await sharp(read.bytes).extract({ left: 0, top, width: 30, height: 15 }).png().toBuffer();
      return (await sharp(half).stats()).channels[0]?.mean;
    };
    expect(await brightness(0)).toBeLessThan(80);
    expect(await brightness(25)).toBeGreaterThan(180);
  });

  it('is bounded at its long edge and never enlarged', async () => {
    const edge = limits.documentLongEdgeMaxPx;
    const blank = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#888888' } })
        .jpeg()
        .toBuffer();
    expect(await images.readImage(await blank(4_800, 1_200))).toMatchObject({ widthPx: edge, heightPx: 600 });
    expect(await images.readImage(await blank(1_200, 4_800))).toMatchObject({ widthPx: 600, heightPx: edge });
    expect(await images.readImage(await blank(1, 1))).toMatchObject({ widthPx: 1, heightPx: 1 });
  });
});

/** One chunk of a PNG: length, type, data, checksum. */
function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

/** A well-formed PNG whose header promises what its few bytes unfold to: grey, or colours of 16 bits. */
function pngBomb(widthPx: number, heightPx: number, rows = Buffer.alloc(10_000), colours?: 'deep'): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set(colours ? [16, 6] : [8, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const page = '<!doctype html><script>alert(document.domain)</script>';
const emptyZip = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
const withComment = (text: string) =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xfe, 0, text.length + 2]),
    Buffer.from(text),
    jpeg.subarray(2),
  ]);
const bmp = Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)]);

describe('what is refused', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('hello')],
    ['an SVG', Buffer.from(svg)],
    ['an SVG with a prologue', Buffer.from(`<?xml version="1.0"?>\n${svg}`)],
    ['a compressed SVG', gzipSync(svg)],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF')],
    ['a page', Buffer.from(page)],
    ['a BMP', bmp],
    ['an icon', Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0])],
    ['a ZIP', emptyZip],
    ['a film', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')],
    ['a TIFF', tiff],
    ['raw pixels', Buffer.alloc(30_000, 128)],
    ['the first bytes of a JPEG alone', Buffer.from([0xff, 0xd8, 0xff])],
    ['a PNG signature before a page', Buffer.concat([png.subarray(0, 8), Buffer.from(page)])],
    ['a JPEG signature before an SVG', Buffer.concat([jpeg.subarray(0, 3), Buffer.from(svg)])],
    ['a JPEG with the signature of a PNG', Buffer.concat([png.subarray(0, 8), jpeg.subarray(8)])],
    [
      'a HEIC with nothing in it',
      Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(99)]),
    ],
    ['a GIF that is a script', Buffer.from('GIF89a/*\0\0\0*/=1;alert(document.domain);//')],
    ['a JPEG that is also a PDF', withComment('%PDF-1.7 and so on')],
    ['a JPEG that is also a page', withComment(page)],
    ['a PNG that is also an archive', Buffer.concat([png, emptyZip])],
    ['a GIF with a page behind it', Buffer.concat([gif, Buffer.from(page)])],
    ['a PNG with fewer rows than it promises', pngBomb(5_000, 5_000)],
    ['an image of more than the allowed bytes', Buffer.concat([jpeg, Buffer.alloc(limits.documentMaxBytes)])],
  ])('%s', async (_, bytes) => {
    await expect(images.readImage(bytes)).rejects.toBeInstanceOf(NotAnImage);
  });

  it.each(
    sampleOf([
      ['JPEG', jpeg],
      ['progressive JPEG', progressive],
      ['PNG', png],
      ['interlaced PNG', interlaced],
      ['WebP', webp],
      ['GIF', gif],
      ['AVIF', avif],
    ] as const),
  )('a %s cut short, wherever', async (_, bytes) => {
    const lengths = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99].map((part) => Math.floor(bytes.length * part));
    for (const length of [...lengths, bytes.length - 20, bytes.length - 2, bytes.length - 1]) {
      await expect(images.readImage(bytes.subarray(0, length))).rejects.toBeInstanceOf(NotAnImage);
    }
  });

  it('a JPEG cut short whose end was glued on again', async () => {
    const glued = Buffer.concat([jpeg.subarray(0, jpeg.length / 2), jpeg.subarray(-2)]);
    await expect(images.readImage(glued)).rejects.toBeInstanceOf(NotAnImage);
  });
});

const blank = (width: number, height: number, background = { r: 255, g: 255, b: 255 }) =>
  sharp({ create: { width, height, channels: 3, background } });

/** A GIF of 1,000 by 1,000 pixels, each frame of which changes one of them. */
function gifOf(frames: number): Buffer {
  const screen = Buffer.from([0xe8, 3, 0xe8, 3, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...Array(frames).fill(frame), Buffer.from([0x3b])]);
}

/** A WebP of 1,000 by 1,000 pixels whose frames differ. */
async function webpOf(frames: number): Promise<Buffer> {
  const pixels = Buffer.alloc(frames * 1_000 * 1_000);
  for (let n = 0; n < frames; n += 1) pixels.fill(5 * n, n * 1e6, (n + 1) * 1e6);
  const raw = { width: 1_000, height: frames * 1_000, channels: 1, pageHeight: 1_000 } as const;
  return sharp(pixels, { raw }).webp({ lossless: true, effort: 0 }).toBuffer();
}

describe('what is too large', () => {
  it.each(
    sampleOf([
      ['50 megapixels', () => blank(10_000, 5_000).jpeg().toBuffer(), 2_400, 1_200],
      ['a side of 12,000 pixels', () => blank(12_000, 100).png().toBuffer(), 2_400, 20],
      [
        '24 megapixels of AVIF',
        () => blank(6_000, 4_000).avif({ effort: 0, chromaSubsampling: '4:2:0' }).toBuffer(),
        2_400,
        1_600,
      ],
      ['50 megapixels in 50 frames of GIF', async () => gifOf(50), 1_000, 1_000],
    ]),
  )('%s is not', async (_, make, widthPx, heightPx) => {
    expect(await images.readImage(await make())).toMatchObject({ widthPx, heightPx });
  });

  it.each([
    ['more than 50 megapixels', () => blank(10_000, 5_001).jpeg().toBuffer()],
    ['a side of more than 12,000 pixels', () => blank(12_001, 1).png().toBuffer()],
    ['a height of more than 12,000 pixels', () => blank(1, 12_001).webp().toBuffer()],
    [
      'more than 24 megapixels of AVIF',
      () => blank(6_000, 4_001).avif({ effort: 0, chromaSubsampling: '4:2:0' }).toBuffer(),
    ],
    ['more than 50 megapixels in frames of GIF', async () => gifOf(51)],
    ['more than 50 megapixels in frames of WebP', () => webpOf(51)],
    ['a PNG bomb of 3,600 megapixels', async () => pngBomb(60_000, 60_000)],
    ['a PNG one pixel wide and 50 megapixels high', async () => pngBomb(1, 50_000_000, Buffer.alloc(1e8))],
  ])('%s is, and is refused at once', async (_, make) => {
    const bytes = await make();
    const startedMs = performance.now();
    await expect(images.readImage(bytes)).rejects.toBeInstanceOf(PictureTooLarge);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it('what takes longer than its bound is, even where the decoder itself would not stop', async () => {
    const hasty = decoders({ maxRunning: 1, timeoutSeconds: 1 });
    const slow = pngBomb(7_000, 7_000, Buffer.alloc(7_000 * (1 + 7_000 * 8)), 'deep');
    await expect(hasty.readImage(slow)).rejects.toBeInstanceOf(PictureTooLarge);
    // On a busy machine a small one may take a second too.
    const read = () => hasty.readImage(jpeg).catch(() => undefined);
    await expect.poll(read).toMatchObject({ widthPx: 400 });
  });

  it('what takes more memory than its bound is', async () => {
    const small = decoders({ maxRunning: 1, maxMemoryBytes: 150 * 1024 ** 2 });
    const large = await blank(7_000, 7_000)
      .png({ progressive: true, compressionLevel: 1, adaptiveFiltering: false })
      .toBuffer();
    await expect(small.readImage(large)).rejects.toBeInstanceOf(PictureTooLarge);
    expect(await small.readImage(jpeg)).toMatchObject({ widthPx: 400 });
  });
});

/** The processes that this one has started to decode images. */
const decoderPids = () =>
  spawnSync('pgrep', ['-P', String(process.pid), '-f', 'image-decoder'], { encoding: 'utf8' })
    .stdout.split('\n')
    .flatMap((pid) => (pid === '' ? [] : [Number(pid)]));

describe.skipIf(process.platform !== 'linux')('the decoder’s process', () => {
  it('is kept, and gone after closing', async () => {
    const before = decoderPids();
    const own = createImages({ maxRunning: 1 });
    const pids = async () => {
      await own.readImage(jpeg);
      return decoderPids().filter((pid) => !before.includes(pid));
    };
    const [first, second] = [await pids(), await pids()];
    expect([first.length, second]).toEqual([1, first]);
    own.close();
    await expect.poll(() => decoderPids().filter((pid) => first.includes(pid))).toEqual([]);
  });

  it('is replaced when it dies over an image, and an image that kills two is refused', async () => {
    const before = decoderPids();
    const own = decoders({ maxRunning: 1 });
    const slow = await picture(4_000, 4_000, 4).png({ progressive: true }).toBuffer();
    const killed: number[] = [];
    const killOneAtWork = async () => {
      const isAtWork = (pid: number) =>
        readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8') === '1000\n' && !killed.includes(pid);
      const found = () => decoderPids().filter((pid) => !before.includes(pid) && isAtWork(pid));
      await expect.poll(found).toHaveLength(1);
      const [pid = 0] = found();
      await sleep(100);
      killed.push(pid);
      process.kill(pid, 'SIGSEGV');
    };
    const once = own.readImage(slow);
    await killOneAtWork();
    expect(await once).toMatchObject({ widthPx: 2_400 });
    const twice = own.readImage(slow);
    await Promise.all([
      expect(twice).rejects.toBeInstanceOf(NotAnImage),
      killOneAtWork().then(killOneAtWork),
    ]);
    expect(await own.readImage(jpeg)).toMatchObject({ widthPx: 400 });
  });

  it('is replaced when it died while idle', async () => {
    const before = decoderPids();
    const own = decoders({ maxRunning: 1 });
    await own.readImage(jpeg);
    const [pid = 0] = decoderPids().filter((one) => !before.includes(one));
    process.kill(pid, 'SIGKILL');
    await expect.poll(decoderPids).not.toContain(pid);
    expect(await own.readImage(jpeg)).toMatchObject({ widthPx: 400 });
  });

  it('gets none of the server’s settings', async () => {
    process.env.SECRET_KEY = 'canary';
    onTestFinished(() => void delete process.env.SECRET_KEY);
    const before = decoderPids();
    await decoders({ maxRunning: 1 }).readImage(jpeg);
    const [pid] = decoderPids().filter((one) => !before.includes(one));
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('canary');
  });
});

describe('the queue of images', () => {
  it('turns away what would wait behind too many, and serves again afterwards', async () => {
    const small = decoders({ maxRunning: 1, maxWaiting: 1 });
    const accepted = [small.readImage(jpeg), small.readImage(png)];
    await expect(small.readImage(jpeg)).rejects.toBeInstanceOf(Overloaded);
    await expect(Promise.all(accepted)).resolves.toHaveLength(2);
    await expect(small.readImage(webp)).resolves.toMatchObject({ widthPx: 400 });
  });

  it('gives no place to what is not an image', async () => {
    const small = decoders({ maxRunning: 1, maxWaiting: 0 });
    const running = small.readImage(jpeg);
    await expect(small.readImage(Buffer.from(svg))).rejects.toBeInstanceOf(NotAnImage);
    await running;
  });
});
