import { useCoreWords } from '#web/lib/language.tsx';
import { FileIcon, ShieldCheckIcon } from '#web/ui/icons.tsx';

/** The two captions under the sign-in form. */
export function TrustCaptions() {
  const { session } = useCoreWords();
  const captions = [
    { text: session.creditInformation, icon: <FileIcon /> },
    { text: session.verifiedSecured, icon: <ShieldCheckIcon /> },
  ];
  return (
    <ul className="grid grid-cols-2 gap-3">
      {captions.map(({ text, icon }) => (
        <li
          key={text}
          className="flex flex-col items-center gap-2 text-center text-12 font-bold tracking-[0.04em] text-ink-soft"
        >
          <span
            aria-hidden="true"
            className="flex size-10 shrink-0 items-center justify-center rounded-full bg-leaf-tint text-leaf [&_svg]:size-5"
          >
            {icon}
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
}
