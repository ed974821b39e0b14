import type { Content } from '../../../content/content.ts'
import type { MaybePromise } from '../../../platform/functions.ts'
import type { JsonText } from '../../../platform/json/json.ts'
import type { Redaction } from '../../redaction/redact.ts'
import type { PageText } from '../page-text.ts'

export interface PartSource {
  /** Its Markdown is redacted if the request requires it. */
  content: Content
  url: string
  redaction: Redaction | undefined
  sentences(): Promise<PageText>
}

/** Serializes long values in the worker thread, so that they are not copied or serialized again. */
export interface Pack {
  json<Value>(value: Value): Value | JsonText
  utf8(text: string): string | Uint8Array
}

export interface Part<Value, Packed, Request> {
  /** Imports rarely used code or data dynamically, so that only threads that need it load it. */
  make(source: PartSource, request: Request): MaybePromise<Value>
  pack?(value: Value, pack: Pack): Packed
  /** Request option that determines the run time, for an error message. */
  cost?: string
}

export function definePart<Value, Packed = Value, Request = true>(
  part: Part<Value, Packed, Request>,
): Part<Value, Packed, Request> {
  return part
}
