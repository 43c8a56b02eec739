import { uploadDocument as row } from '#contract/borrower-endpoints.ts';
import type { Document } from '#contract/document.ts';
import { core } from '#contract/wording/en-core.ts';
import { tellTokenLoss } from './call.ts';
import { CallError, callErrorOf, NetworkError } from './call-error.ts';
import { readToken } from './token.ts';

export type UploadOptions = {
  /** Upload progress, 0 to 100. */
  onPercent?: (percent: number) => void;
  signal?: AbortSignal;
};

/**
 * Uploads one image (§uploading). Uses XMLHttpRequest because fetch has no upload progress. Rejects with
 * `CallError` (message 'Upload failed' if the server gives none) or `NetworkError`.
 */
export function uploadDocument(file: Blob, { onPercent, signal }: UploadOptions = {}): Promise<Document> {
  return new Promise((resolve, reject) => {
    const token = readToken();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const abortError = () => new DOMException('The upload was given up', 'AbortError');
    if (signal?.aborted) {
      reject(abortError());
      return;
    }

    request.open(row.method, row.path);
    request.withCredentials = true;
    if (token !== undefined) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onPercent?.(Math.round((100 * event.loaded) / event.total));
    };
    request.onabort = () => reject(abortError());
    request.onerror = () => reject(new NetworkError(undefined));
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) {
        const document = documentOf(request.responseText);
        if (document) resolve(document);
        else reject(new NetworkError(undefined));
        return;
      }
      const { status, responseText } = request;
      const read = callErrorOf(status, '', responseText, request.getResponseHeader('Retry-After'));
      const error = read.data?.message ? read : new CallError(status, core.shell.uploadFailed, read.data);
      tellTokenLoss(error, token);
      reject(error);
    };
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);

    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

function documentOf(text: string): Document | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
