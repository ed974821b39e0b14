import { z } from 'zod'
import { JsonText } from '../base/json-text.ts'
import { parentStatus } from '../http/endpoints/parent-job.ts'
import { storedInV1, v1Document } from './document.ts'
import type { InV1 } from './translation.ts'

/** The status of a crawl or a batch, with documents as clients of the first version read them. */
export const v1JobStatus = parentStatus
  .omit({ error: true })
  .extend({ data: z.array(v1Document) })
  .meta({ id: 'V1JobStatus' })

interface Status {
  next?: string
  error?: string
  warning?: string
  data: unknown[]
}

/** A client of the first version breaks where a status has an error, so a warning says why the job ended. */
export function statusInV1({ error, ...status }: Status, { inV1 }: { inV1: InV1 }): Status {
  const warning = [error, status.warning].filter((part) => part !== undefined).join(' ')
  return {
    ...status,
    ...(warning === '' ? {} : { warning }),
    ...(status.next === undefined ? {} : { next: inV1(status.next) }),
    data: status.data.map((document) => (document instanceof JsonText ? storedInV1(document) : document)),
  }
}
