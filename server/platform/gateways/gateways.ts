import type { MessageChannel } from '#domain/message.ts';
import type { Clock } from '#server/platform/clock.ts';
import { createFileGateway } from './file-gateway.ts';
import type { Gateway } from './gateway.ts';
import { createSemaphoreGateway } from './semaphore-gateway.ts';
import { createSmtpGateway, type MailAddress } from './smtp-gateway.ts';

/** The settings of both channels (§settings); a channel that is not set up is not in it. */
export type MessageSettings = {
  sms?: { gateway: 'file' } | { gateway: 'semaphore'; apiKey: string; sender: string; url: string };
  email?: { gateway: 'file' } | { gateway: 'smtp'; url: string; from: MailAddress };
  smsPerMinute: number;
  smsDailyMax: number;
};

export type Gateways = Partial<Record<MessageChannel, Gateway>>;

/** A gateway for each channel that is set up. */
export function createGateways(parts: {
  settings: MessageSettings;
  dataDir: string;
  clock: Clock;
}): Gateways {
  const { settings, ...rest } = parts;
  const { sms, email } = settings;
  return {
    ...(sms && {
      sms:
        sms.gateway === 'file' ? createFileGateway({ channel: 'sms', ...rest }) : createSemaphoreGateway(sms),
    }),
    ...(email && {
      email:
        email.gateway === 'file'
          ? createFileGateway({ channel: 'email', ...rest })
          : createSmtpGateway(email),
    }),
  };
}
