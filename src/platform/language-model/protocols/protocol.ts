import { newId } from '../../ids.ts'
import { parseForeignJson } from '../../json/json.ts'
import type { JsonSchema, Message } from '../../ports/language-model.ts'
import type { AnswerRequest, RawReply } from '../answering-model.ts'

export interface ModelProtocol {
  name: string
  title: string
  address?: string
  /** Text of a rejection that requires the newer names of fields. From then on, questions have `isNewer`. */
  newerFields?: RegExp
  call(question: Question): { path: string; headers: Record<string, string>; body: unknown }
  read(body: unknown, question: Question): ParsedAnswer | undefined
}

export interface Question extends Omit<AnswerRequest, 'schema' | 'attempt'> {
  model: string
  key: string
  maxOutputTokens: number
  schema?: { form: SchemaForm; rules: JsonSchema } | undefined
  isNewer: boolean
}

/** `strict`: the server enforces the rewritten schema. `loose`: it gets the original one, or is told to write JSON. */
export type SchemaForm = 'strict' | 'loose'

/** Answer as read from a response. Servers may not count tokens. */
export type ParsedAnswer = Omit<RawReply, 'usage' | 'isStrict'> & { usage: RawReply['usage'] | undefined }

export function createCallId(): string {
  return `${ownIdPrefix}${newId()}`
}

export function isOwnCallId(id: string): boolean {
  return id.startsWith(ownIdPrefix)
}

const ownIdPrefix = 'winnow-call-'

export function readArguments(value: unknown): unknown {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'string') return value
  // Some servers send an empty string for a call without arguments.
  if (value.trim() === '') return {}
  try {
    return parseForeignJson(value)
  } catch {
    return value
  }
}

/** Turns alternate and are not empty. The results of all calls of a turn are in the next turn. */
export function toTurns(messages: Message[], modelRole: string, toParts: (message: Message) => object[]) {
  const turns: { role: string; parts: object[] }[] = []
  for (const message of messages) {
    const role = message.role === 'model' ? modelRole : 'user'
    const parts = toParts(message)
    const last = turns.at(-1)
    if (parts.length === 0) continue
    if (last?.role === role) last.parts.push(...parts)
    else turns.push({ role, parts })
  }
  return turns
}
