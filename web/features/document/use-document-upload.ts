import { useCallback, useEffect, useRef, useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { limits } from '#domain/limits.ts';
import type { documentPieces } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { isAbort } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useSession } from '#web/lib/session.tsx';
import { shrinkImage } from '#web/lib/shrink-image.ts';
import { toast } from '#web/lib/toast-store.ts';
import { uploadDocument } from '#web/lib/upload.ts';

export type DocumentPiece = (typeof documentPieces)[number];

export type UploadState =
  | { state: 'idle' }
  | { state: 'preparing' }
  | { state: 'uploading'; percent: number }
  /** `canRetry`: the photo is still in memory and need not be taken again. */
  | { state: 'failed'; message: string; canRetry: boolean };

/** An upload and its progress so far: a retry resumes where it broke off. */
type Work = { image: File; shrunk?: Blob; url?: string };

const idle: UploadState = { state: 'idle' };

/**
 * Uploads a photo as one of the three documents and attaches it to the profile (§uploading), with
 * toasts. Aborts on unmount.
 */
export function useDocumentUpload(piece: DocumentPiece) {
  const { documents, errors, shell } = useAccountWords();
  const errorText = useErrorText();
  const { accept } = useSession();
  const [upload, setUpload] = useState<UploadState>(idle);
  const [blurred, setBlurred] = useState(false);
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
    const giveUp = new AbortController();
    controller.current = giveUp;
    const { signal } = giveUp;
    const show = (next: UploadState) => {
      if (!signal.aborted) setUpload(next);
    };
    setBlurred(false);
    try {
      show({ state: 'preparing' });
      job.shrunk ??= await shrinkImage(job.image);
      signal.throwIfAborted();
      if (job.shrunk.size > limits.documentMaxBytes) return refuse(errors.too_large, false);
      if (job.url === undefined) {
        show({ state: 'uploading', percent: 0 });
        const onPercent = (percent: number) => show({ state: 'uploading', percent });
        job.url = (await uploadDocument(job.shrunk, { onPercent, signal })).url;
      }
      // Too late to cancel: the server may have attached it already.
      await accept(call(api.updateProfile, { body: { [piece]: job.url } }));
      work.current = undefined;
      show(idle);
      toast({ title: documents.uploaded });
      void measure(job.shrunk, signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      refuse(errorText(error, shell.uploadFailed), true);
    }
  }

  /** Advice only: failure to measure a photo is ignored. */
  async function measure(photo: Blob, signal: AbortSignal) {
    try {
      const { looksBlurred } = await import('#web/lib/blur.ts');
      const looks = await looksBlurred(photo);
      if (!signal.aborted) setBlurred(looks);
    } catch (error) {
      console.info('The photo could not be measured', error);
    }
  }

  return {
    upload,
    blurred,
    keep: () => setBlurred(false),
    /** Rejects files that are not images at once (§uploading). */
    choose(image: File) {
      if (!isImage(image)) return refuse(errors.not_an_image, false);
      void run({ image });
    },
    cancel: useCallback(() => {
      controller.current?.abort();
      setUpload(idle);
    }, []),
    retry() {
      if (work.current) void run(work.current);
    },
  };
}

/** Some browsers give HEIC no type; the server checks the content anyway. */
const isImage = ({ type, name }: File): boolean =>
  type === '' ? /\.(heic|heif|jpe?g|png|webp|gif)$/i.test(name) : /^image\/(?!svg)/.test(type);
