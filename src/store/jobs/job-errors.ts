import { z } from 'zod'
import { type ErrorCode, isErrorCode, type StoredError } from '../../platform/errors.ts'
import { storedJson } from '../stored-json.ts'

const column = storedJson(
  { table: 'jobs', column: 'error' },
  z.object({
    // An unknown code was written by another version.
    code: z.string().transform((code): ErrorCode => (isErrorCode(code) ? code : 'INTERNAL')),
    // With zero retention, an error consists of its code.
    error: z.string().default(''),
    detail: z.record(z.string(), z.unknown()).default({}),
  }),
)

export function writeError({ code, error, detail }: StoredError): string {
  return column.write({ code, error, detail })
}

export function readError(text: string | null): StoredError | undefined {
  return text === null ? undefined : column.read(text)
}

export const withCode = (code: string) => `{"code":"${code}"%`
