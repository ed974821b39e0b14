import { AppError } from '../base/errors.ts'
import type { Guard } from '../network/guard.ts'
import type { Webhook } from './schema.ts'

/**
 * Refuses a webhook that could never be delivered, as its address may not be contacted. Each delivery is checked again: a name
 * may lead elsewhere by then, and one that does not resolve yet may do so then.
 */
export async function checkReceiver(guard: Guard, webhook: Webhook | undefined): Promise<void> {
  if (!webhook) return
  const { hostname, port, protocol } = new URL(webhook.url)
  try {
    await guard.resolve(hostname, Number(port || (protocol === 'https:' ? 443 : 80)))
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'TARGET_FORBIDDEN') return
    const detail = { ...thrown.detail, option: 'webhook', phase: 'webhook' }
    throw new AppError('TARGET_FORBIDDEN', detail, { message, cause: thrown })
  }
}

const message =
  'The address of the webhook is private, local or reserved, so it is not contacted. The operator can allow it by ALLOW_PRIVATE_NETWORK.'
