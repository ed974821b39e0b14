import { AppError } from '../base/errors.ts'
import type { Endpoint } from './endpoint.ts'

/** Said before the rest is checked: a body with such a field has little of what is needed otherwise. */
export function refuseAbsentFields({ absentFields }: Pick<Endpoint, 'absentFields'>, body: unknown): void {
  if (absentFields === undefined || typeof body !== 'object' || body === null) return
  for (const [option, instead] of Object.entries(absentFields)) {
    if (!Object.hasOwn(body, option)) continue
    const message = `Not available on this installation: ${option}. ${instead}`
    throw new AppError('OPTION_NOT_AVAILABLE', { option, hint: instead }, { message })
  }
}
