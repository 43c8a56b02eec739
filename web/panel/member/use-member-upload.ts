import { useEffect, useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import type { documentPieces } from '#domain/member.ts';
import { call } from '#web/lib/call.ts';
import { isAbort } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { shrinkImage } from '#web/lib/shrink-image.ts';
import { toast } from '#web/lib/toast-store.ts';
import { uploadDocument } from '#web/lib/upload.ts';
import { showOvertaken } from '#web/panel/lib/staff-action.ts';
import { acceptMember, isGone, presentOf } from '#web/panel/lib/staff-rows.ts';
import { memberRow } from './member-text.tsx';

export type DocumentPiece = (typeof documentPieces)[number];
type Documents = Pick<Member, 'id' | DocumentPiece>;

/**
 * A file on its way: a retry starts from how far it came. `seen` is the document that it takes the place of: where
 * another one is there by now, it is looked at first.
 */
type Work = { file: File; seen: string | null; shrunk?: Blob; url?: string };

/** Uploads an image and attaches it to a member as one of their documents, with toasts. */
export function useMemberUpload({ id: memberId, ...documents }: Documents, piece: DocumentPiece) {
  const errorText = useErrorText();
  const [percent, setPercent] = useState<number>();
  const [failure, setFailure] = useState<string>();
  const work = useRef<Work>(undefined);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  function refuse(message: string) {
    setFailure(message);
    toast({ tone: 'bad', title: en.shell.uploadFailed, description: message });
  }

  function tellFailure(job: Work, error: unknown) {
    const row = memberRow(memberId);
    const present = presentOf(error);
    if (present) {
      // Sent again, it is meant to take the place of the new one.
      job.seen = (present[piece] as string | null | undefined) ?? null;
      refuse(panel.together.replaceAgain);
    } else refuse(isGone(error) ? row.gone : errorText(error, en.shell.uploadFailed));
    showOvertaken(row, error);
  }

  async function run(job: Work) {
    const giveUp = new AbortController();
    controller.current = giveUp;
    const { signal } = giveUp;
    setFailure(undefined);
    setPercent(0);
    try {
      job.shrunk ??= await shrinkImage(job.file);
      signal.throwIfAborted();
      if (job.shrunk.size > limits.documentMaxBytes) {
        work.current = undefined;
        refuse(en.errors.too_large);
      } else {
        job.url ??= (await uploadDocument(job.shrunk, { onPercent: setPercent, signal })).url;
        const body = { [piece]: job.url, expected: { [piece]: job.seen } };
        acceptMember(await call(api.updateMember, { params: { id: memberId }, body }));
        work.current = undefined;
        toast({ title: en.documents.uploaded });
      }
    } catch (error) {
      if (isAbort(error)) return;
      tellFailure(job, error);
    }
    setPercent(undefined);
  }

  return {
    /** 0 to 100 while it is on its way. */
    percent,
    failure,
    canRetry: failure !== undefined && work.current !== undefined,
    /** Takes a file as the input gives it; what is no image is refused at once (§uploading). */
    choose(file: File) {
      work.current = undefined;
      if (!isImage(file)) return refuse(en.errors.not_an_image);
      work.current = { file, seen: documents[piece] };
      void run(work.current);
    },
    retry() {
      if (work.current) void run(work.current);
    },
  };
}

/** Some browsers name no type for HEIC; the server judges by content anyway. */
const isImage = ({ type, name }: File): boolean =>
  type === '' ? /\.(heic|heif)$/i.test(name) : /^image\/(?!svg)/.test(type);
