import type { FastifyInstance } from 'fastify';
import type { Lender } from '#contract/lender.ts';
import { paths } from '#contract/routes.ts';

const iconSizes = [192, 512];
/** A mask may cut away everything outside a circle of four fifths. */
const partOfIcon = 0.62;
const paper = '#f6f4ef';

/** Serves what a browser asks for to install the app (§installing): the lender's name, colour and icon. */
export function serveInstallable(app: FastifyInstance, lender: Lender, logo: () => Promise<Buffer>): void {
  const { name, tradeName = name, colour } = lender;
  const manifest = {
    id: paths.home,
    name: tradeName,
    short_name: tradeName.slice(0, 12).trim(),
    start_url: paths.home,
    scope: '/',
    display: 'standalone',
    background_color: paper,
    theme_color: colour ?? '#10233f',
    icons: iconSizes.map((size) => ({
      src: `/icon-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  };
  app.get('/manifest.webmanifest', async (_, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json')
      .send(JSON.stringify(manifest)),
  );
  for (const size of iconSizes) {
    let drawn: Promise<Buffer> | undefined;
    app.get(`/icon-${size}.png`, async (_, reply) => {
      drawn ??= logo().then((bytes) => drawIcon(bytes, size));
      return reply
        .header('cache-control', 'public, max-age=86400')
        .type('image/png')
        .send(await drawn);
    });
  }
}

/** The logo in the middle of a square. A damaged one was refused at the start. */
async function drawIcon(logo: Buffer, size: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const side = Math.round(size * partOfIcon);
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
  const inside = await sharp(logo, { density: 300 })
    .resize(side, side, { fit: 'contain', background: transparent })
    .png()
    .toBuffer();
  return sharp({ create: { width: size, height: size, channels: 4, background: paper } })
    .composite([{ input: inside }])
    .png()
    .toBuffer();
}
