import sharp from 'sharp';

const boundary = 'hiram-test-boundary';

export type FormPart = { name: string; filename?: string; contentType?: string; content: Buffer | string };

/** A small real JPEG. */
export async function photo({ width = 48, height = 32 } = {}): Promise<Buffer> {
  const background = { r: 180, g: 120, b: 60 };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** An identity card on a table: a portrait beside lines of letters, large and small. `blur` is a sigma in pixels. */
export function cardPhoto(blur = 0) {
  const [width, height] = [640, 480];
  const drawn = Buffer.alloc(width * height, 110);
  const fill = (x: number, y: number, across: number, down: number, level: number) => {
    for (let row = y; row < y + down; row += 1) drawn.fill(level, row * width + x, row * width + x + across);
  };
  fill(50, 60, 540, 340, 230);
  fill(90, 150, 100, 130, 90);
  for (let line = 0; line < 11; line += 1) {
    const size = line % 2 === 0 ? 10 : 16;
    for (let column = 0; column < 24; column += 1) {
      const x = 230 + Math.round(column * size * 0.6);
      fill(x, 95 + line * 26 - (column % 3) * 2, 2 + (column % 4), size, 35);
    }
  }
  const image = sharp(drawn, { raw: { width, height, channels: 1 } });
  return blur > 0 ? image.blur(blur) : image;
}

/** A `multipart/form-data` body and the header that belongs to it. */
export function form(parts: readonly FormPart[]): { payload: Buffer; headers: Record<string, string> } {
  const chunks = parts.flatMap(({ name, filename, contentType, content }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    `${contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`}\r\n`,
    content,
    '\r\n',
  ]);
  const payload = Buffer.concat(
    [...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk as string)),
  );
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

/** The form that an upload sends: one file in the part `file`. */
export function formWithFile(content: Buffer, filename = 'photo.jpg') {
  return form([{ name: 'file', filename, contentType: 'image/jpeg', content }]);
}
