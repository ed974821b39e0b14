import { newId } from '../../ids.ts'
import { parseForeignJson } from '../../json/json.ts'
import type { JsonSchema, Message } from '../../ports/language-model.ts'
import type { AnswerRequest, RawReply } from '../answering-model.ts'

/** How programs speak to a kind of model server: a request as data, and what its answer says. */
export interface ModelProtocol {
  /** How MODEL_PROTOCOL calls it. */
  name: string
  /** Its name in messages for operators. */
  title: string
  /** The base URL of the service that the protocol belongs to; a protocol that many servers speak has none. */
  address?: string
  /** Words of a refusal that asks for the newer names of fields; from then on, questions have `isNewer`. */
  newerFields?: RegExp
  call(question: Question): ModelCall
  /** Undefined if the answer is not one of this protocol. */
  read(body: unknown, question: Question): ReadAnswer | undefined
}

/** One request, with everything that the protocols write in different ways. */
export interface Question extends Omit<AnswerRequest, 'schema' | 'attempt'> {
  model: string
  key: string
  maxOutputTokens: number
  /** How the server gets the schema; undefined if it is only in the prompt. */
  schema?: { form: SchemaForm; rules: JsonSchema } | undefined
  isNewer: boolean
}

/**
 * - `strict`: the server is held to the schema, which has been rewritten for that
 * - `loose`: the server gets the schema as it is, or at least the order to write JSON, by an older or weaker way of its protocol
 */
export type SchemaForm = 'strict' | 'loose'

interface ModelCall {
  /** Appended to the base URL. */
  path: string
  headers: Record<string, string>
  body: unknown
}

/** Servers may not count tokens. */
export type ReadAnswer = Omit<RawReply, 'usage' | 'isStrict'> & { usage: RawReply['usage'] | undefined }

/** An id for a call that the server gave none. */
export function ownCallId(): string {
  return `${ownIds}${newId()}`
}

export function isOwnCallId(id: string): boolean {
  return id.startsWith(ownIds)
}

const ownIds = 'winnow-call-'

/** Arguments as the server sent them: an object, or text that should be JSON. */
export function readArguments(given: unknown): unknown {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'string') return given
  // Some servers send an empty string for a call without arguments.
  if (given.trim() === '') return {}
  try {
    return parseForeignJson(given)
  } catch {
    return given
  }
}

/** Turns alternate, the answers to all calls of a turn stand in the next, and none is empty. */
export function toTurns(messages: Message[], modelRole: string, toParts: (said: Message) => object[]) {
  const turns: { role: string; parts: object[] }[] = []
  for (const said of messages) {
    const role = said.role === 'model' ? modelRole : 'user'
    const parts = toParts(said)
    const last = turns.at(-1)
    if (parts.length === 0) continue
    if (last?.role === role) last.parts.push(...parts)
    else turns.push({ role, parts })
  }
  return turns
}
