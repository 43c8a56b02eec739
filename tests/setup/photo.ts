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
