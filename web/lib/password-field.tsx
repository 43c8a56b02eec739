import { EyeIcon, EyeOffIcon } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { TextField, type TextFieldProps } from '#web/ui/text-field.tsx';
import { useCoreWords } from './language.tsx';

/** The toggle's name must not contain the field's own, or a search for 'Password' finds both. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const { hideTyped, showTyped } = useCoreWords().session;
  const [shown, setShown] = useState(false);
  return (
    <TextField
      autoComplete="current-password"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={
        <IconButton label={shown ? hideTyped : showTyped} onClick={() => setShown(!shown)}>
          {shown ? <EyeOffIcon /> : <EyeIcon />}
        </IconButton>
      }
    />
  );
}
