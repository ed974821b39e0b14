import { randomBytes } from 'node:crypto'

/** The id that a call is logged under: the caller's own where it sent a usable one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return sentRequestId(sent) ?? newRequestId()
}

const processMark = randomBytes(6).toString('hex')
let requests = 0

/** Unique over processes and restarts; a call is logged under it. */
function newRequestId(): string {
  requests += 1
  return `${processMark}-${requests}`
}

function sentRequestId(header: string | string[] | undefined): string | undefined {
  const text = headerText(header)
  return text !== undefined && /^[\w.:-]{1,128}$/.test(text) ? text : undefined
}

export function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
