import type { CallToolResult } from '@modelcontextprotocol/server'
import { type AppError, toAppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { renderError } from '../http/render-error.ts'
import { printable } from './document-text.ts'

/** Of one field of an error: a validation may name fifty problems. */
const longest = 4000

/** What an error of the API looks like to a model: the code, what is wrong, and what to do. */
export function errorAnswer(
  thrown: unknown,
  { log, requestId }: { log: Log; requestId: string },
): CallToolResult {
  const error = toAppError(thrown)
  if (error.code === 'INTERNAL') log.error({ requestId, cause: error.cause ?? error }, 'a tool failed')
  return { isError: true, content: [{ type: 'text', text: errorText(error, requestId) }] }
}

export function errorText(error: AppError, requestId: string): string {
  const { code, error: message, success: _, ...detail } = renderError(error, requestId).body
  const lines = Object.entries(detail)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return [`${code}: ${message}`, ...lines].map((line) => printable(line.slice(0, longest))).join('\n')
}
