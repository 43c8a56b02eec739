import { useState } from 'react';
import { isOnPaper } from '#domain/text.ts';
import { TextField, type TextFieldProps } from '#web/ui/text-field.tsx';
import { useCoreWords } from './language.tsx';

/** A name that contracts print. It is taken in any script; while papers cannot print it, a hint asks for Latin letters. */
export function NameField({ onChange, hint, ...rest }: TextFieldProps) {
  const { shell } = useCoreWords();
  const [isPrinted, setPrinted] = useState(true);
  return (
    <TextField
      {...rest}
      onChange={(event) => {
        setPrinted(isOnPaper(event.currentTarget.value));
        onChange?.(event);
      }}
      hint={isPrinted ? hint : shell.latinLetters}
    />
  );
}
