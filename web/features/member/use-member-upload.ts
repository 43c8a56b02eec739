import { useEffect, useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { limits } from '#domain/limits.ts';
import type { documentPieces } from '#domain/member.ts';
import { call } from '#web/lib/call.ts';
import { isAbort } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { acceptMember } from '#web/lib/staff-rows.ts';
import { toast } from '#web/lib/toast-store.ts';
import { uploadDocument } from '#web/lib/upload.ts';

export type DocumentPiece = (typeof documentPieces)[number];

/** A file on its way: `url` is known once the server has it, and a retry then starts from there. */
type Work = { file: File; url?: string };

/** Uploads an image and attaches it to a member as one of their documents, with the toasts of contract section 9. */
export function useMemberUpload(memberId: number, piece: DocumentPiece) {
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

  async function run(job: Work) {
    const giveUp = new AbortController();
    controller.current = giveUp;
    const { signal } = giveUp;
    setFailure(undefined);
    setPercent(0);
    try {
      job.url ??= (await uploadDocument(job.file, { onPercent: setPercent, signal })).url;
      acceptMember(await call(api.updateMember, { params: { id: memberId }, body: { [piece]: job.url } }));
      work.current = undefined;
      toast({ title: en.documents.uploaded });
    } catch (error) {
      if (isAbort(error)) return;
      refuse(errorText(error, en.shell.uploadFailed));
    }
    setPercent(undefined);
  }

  return {
    /** 0 to 100 while it is on its way. */
    percent,
    failure,
    canRetry: failure !== undefined && work.current !== undefined,
    /** Takes a file as the input gives it; what is no image is refused at once (spec section 5). */
    choose(file: File) {
      work.current = undefined;
      if (!isImage(file)) return refuse(en.errors.not_an_image);
      if (file.size > limits.documentMaxBytes) return refuse(en.errors.too_large);
      work.current = { file };
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
