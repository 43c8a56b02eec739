import { useEffect, useRef, useState } from 'react';
import { uploadDocument } from '#contract/borrower-endpoints.ts';
import type { Document } from '#contract/profile.ts';
import { limits } from '#domain/limits.ts';
import { useAccountWords } from './all-words.ts';
import { tellTokenLoss } from './call.ts';
import { CallError, callErrorOf, isAbort, NetworkError } from './call-error.ts';
import { toast } from './toast-store.ts';
import { readToken } from './token.ts';

type UploadState =
  | { state: 'idle' }
  /** The photo is being prepared as long as there is no `percent`. */
  | { state: 'underWay'; percent?: number }
  /** `canRetry`: the photo is still in memory and need not be taken again. */
  | { state: 'failed'; message: string; canRetry: boolean };

/** An upload and its progress so far: a retry resumes where it broke off. */
type Work = { photo: File; replaced: string | null; shrunk?: Blob; url?: string };

type Attachment = {
  /** The document in place; null if there is none. */
  current: string | null;
  /** Attaches the uploaded photo. `replaced`: the document that was in place when the photo was chosen. */
  attach: (url: string, replaced: string | null) => Promise<unknown>;
  /** May word a failure, and name the document that a retry will replace. */
  onFailure?: (error: unknown) => { message?: string; replaced?: string | null };
};

const idle: UploadState = { state: 'idle' };

/** Takes a chosen photo through shrinking, upload and attachment (§uploading), with toasts. Unmounting aborts it. */
export function useDocumentUpload({ current, attach, onFailure }: Attachment) {
  const { documents, errors, shell, errorText } = useAccountWords();
  const [upload, setUpload] = useState<UploadState>(idle);
  const work = useRef<Work>(undefined);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const refuse = (message: string, canRetry: boolean) => {
    setUpload({ state: 'failed', message, canRetry });
    toast({ tone: 'bad', title: shell.uploadFailed, description: message });
  };

  async function run(job: Work) {
    work.current = job;
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    const show = (next: UploadState) => {
      if (!signal.aborted) setUpload(next);
    };
    try {
      show({ state: 'underWay' });
      job.shrunk ??= await shrinkImage(job.photo);
      signal.throwIfAborted();
      if (job.shrunk.size > limits.documentMaxBytes) return refuse(errors.too_large, false);
      if (job.url === undefined) {
        const onPercent = (percent: number) => show({ state: 'underWay', percent });
        onPercent(0);
        job.url = (await sendPhoto(job.shrunk, onPercent, signal)).url;
      }
      // It is too late to cancel: the server may have attached it already.
      await attach(job.url, job.replaced);
      show(idle);
      toast({ title: documents.uploaded });
    } catch (error) {
      if (isAbort(error) || work.current !== job) return;
      const { message, replaced } = onFailure?.(error) ?? {};
      if (replaced !== undefined) job.replaced = replaced;
      refuse(message ?? errorText(error), true);
    }
  }

  return {
    upload,
    /** Refuses files that are not images at once (§uploading). */
    choose(photo: File) {
      if (!isImage(photo)) return refuse(errors.not_an_image, false);
      void run({ photo, replaced: current });
    },
    cancel() {
      work.current = undefined;
      controller.current?.abort();
      setUpload(idle);
    },
    retry() {
      if (work.current) void run(work.current);
    },
  };
}

/** Some browsers give photos no type, HEIC above all; the server checks the content anyway. */
const isImage = ({ type, name }: File): boolean =>
  type === '' ? /\.(heic|heif|jpe?g|png|webp|gif)$/i.test(name) : /^image\/(?!svg)/.test(type);

/**
 * Scales a photo down to an upright JPEG for slow networks. Sent unchanged if the browser cannot decode or draw it
 * (HEIC in most browsers, or larger than a canvas) or if it would not get smaller: the server processes every photo
 * anyway.
 */
async function shrinkImage(file: File): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    try {
      const drawn = await drawJpeg(bitmap);
      return drawn && drawn.size < file.size ? drawn : file;
    } finally {
      bitmap.close();
    }
  } catch {
    return file;
  }
}

/** Null if the browser has no canvas for it. */
async function drawJpeg(bitmap: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, limits.documentUploadLongEdgePx / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  // JPEG has no transparency: clear areas would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', limits.documentUploadJpegQuality));
}

/** Uses XMLHttpRequest because fetch has no upload progress. Rejects with `CallError` or `NetworkError`. */
function sendPhoto(
  photo: Blob,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<Document> {
  return new Promise((resolve, reject) => {
    const token = readToken();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(uploadDocument.method, uploadDocument.path);
    request.withCredentials = true;
    if (token !== undefined) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onPercent(Math.round((100 * loaded) / total));
    };
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    request.onerror = () => reject(new NetworkError(undefined));
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) {
        try {
          resolve(JSON.parse(responseText));
        } catch (error) {
          reject(new NetworkError(error));
        }
        return;
      }
      const read = callErrorOf(status, '', responseText, request.getResponseHeader('Retry-After'));
      // The server's own message may be missing, but the title says already that the upload failed.
      const error = read.data?.message ? read : new CallError(status, '', read.data);
      tellTokenLoss(error, token);
      reject(error);
    };
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);

    const form = new FormData();
    form.append('file', photo);
    request.send(form);
  });
}
