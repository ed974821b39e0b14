import { z } from 'zod'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { storedJson } from '../../store/stored-json.ts'
import { extractRequest } from './schema.ts'

const input = { table: 'jobs', column: 'input' } as const

export const findKind = 'extract_find'
export const mergeKind = 'extract_merge'

/** What stands in the record of an extract: all that is needed to read it again, and no secret of the caller. */
export const extractInput = storedJson(
  input,
  z.looseObject({
    urls: z.array(z.string()).default([]),
    prompt: z.string().optional(),
    schema: z.unknown().optional(),
    showSources: z.boolean().default(false),
    urlTrace: z.boolean().default(false),
    warnings: z.array(z.string()).default([]),
  }),
)

export type ExtractInput = ReturnType<typeof extractInput.read>

/** The job that decides which pages are read. */
export const findInput = storedJson(
  input,
  z.object({
    request: storedShape(z.object(extractRequest.shape).omit({ webhook: true })),
    price: z.number(),
    mostLiving: z.number(),
  }),
)

export type FindInput = ReturnType<typeof findInput.read>

/** What it has found. */
export interface FindResult {
  schema: Record<string, unknown>
  pages: string[]
  notes: string[]
}

export const mergeInput = storedJson(input, z.object({}))
