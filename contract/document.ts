import * as z from 'zod/mini';

export const FileParams = z.object({
  id: /* @__PURE__ */ z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/)),
});

/** The reply to `POST /api/upload` (§photos): pixels and bytes after re-encoding. */
export const DocumentReply = z.object({
  url: z.string(),
  id: z.string(),
  contentType: z.string(),
  size: z.number(),
  width: z.number(),
  height: z.number(),
});
export type Document = z.output<typeof DocumentReply>;
