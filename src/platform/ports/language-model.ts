/**
 * A language model of any provider. Its answers are validated: a value matches its schema, a call names an offered tool
 * with valid arguments, or there is text and no call. If a model fails this twice, or does not answer, the result is an AppError MODEL_FAILED.
 * Code that puts page text into a prompt must mark it as such: the model cannot distinguish it from the request of the caller.
 */
export interface LanguageModel {
  /** Its display name. */
  name: string
  /** Tokens of input that one call takes, system prompt, schema and tools included. Callers cut what they send to it. */
  inputTokens: number
  write(prompt: Prompt, signal: AbortSignal): Promise<{ text: string; usage: Usage }>
  /** A value that matches the schema. The schema may come from a caller; an invalid one is a BAD_REQUEST. */
  extract(prompt: Prompt & { schema: JsonSchema }, signal: AbortSignal): Promise<Extracted>
  /** One step of a conversation with tools: the next message of the model. The caller runs the tools. */
  step(conversation: Conversation, signal: AbortSignal): Promise<Step>
}

/** The model of the installation. Each team uses it through a meter of its own. */
export interface SharedModel extends LanguageModel {
  metered(meter: TokenMeter, teamId?: string): LanguageModel
}

/** What formats use of the model of a team: every call is counted, and refused once the budget of the day is spent. */
export type TeamModel = Pick<LanguageModel, 'name' | 'inputTokens' | 'write' | 'extract'>

/** Counts every request to the model, corrections included. */
export interface TokenMeter {
  /**
   * Sends a request and counts what it has used. `estimate` is the number of its input tokens. Throws MODEL_BUDGET_SPENT, without
   * sending it, if no more may be used. The signal ends a wait.
   */
  count<Answer extends { usage: Usage }>(
    estimate: number,
    signal: AbortSignal,
    send: () => Promise<Answer>,
  ): Promise<Answer>
}

interface Extracted {
  value: unknown
  usage: Usage
  /** The server itself held the answer to the schema, not only the prompt. */
  isStrict: boolean
}

interface Prompt {
  system: string
  text: string
}

export type JsonSchema = Record<string, unknown>

export interface Conversation {
  system: string
  messages: Message[]
  tools: ToolOffer[]
  /** A tool must be called. If the model answers only with text, it is asked again; if it does so twice, the text is the answer. */
  mustCall?: boolean
}

export type Message =
  | { role: 'user'; text: string }
  | { role: 'model'; text: string; calls: ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string }

export interface ToolOffer {
  name: string
  description: string
  /** An object schema: the arguments by name. */
  schema: JsonSchema
}

export interface ToolCall {
  id: string
  name: string
  arguments: Record<string, unknown>
  /** A proof of the server that it made this call. Some servers want it back with the conversation. */
  signature?: string
}

export interface Step {
  text: string
  calls: ToolCall[]
  usage: Usage
}

/** Tokens as counted by the server, or estimated if it does not count; including attempts that had to be corrected. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}
