/**
 * Language model of any provider. Its answers are validated: a value matches its schema, a call names an offered tool
 * with valid arguments, or there is text and no call. If a model fails this twice, or does not answer, the result is an
 * AppError MODEL_FAILED. Code that puts page text into a prompt must mark it, because the model cannot distinguish it
 * from the request of the caller.
 */
export interface LanguageModel {
  /** Display name. */
  name: string
  /** Maximum input tokens of a call, including system prompt, schema and tools. Callers cut their input to it. */
  inputTokens: number
  write(prompt: Prompt, signal: AbortSignal): Promise<{ text: string; usage: Usage }>
  /** Returns a value that matches the schema. The schema may come from a caller; an invalid one is a BAD_REQUEST. */
  extract(prompt: Prompt & { schema: JsonSchema }, signal: AbortSignal): Promise<Extracted>
  /** Returns the next message of the model in a conversation with tools. The caller runs the tools. */
  step(conversation: Conversation, signal: AbortSignal): Promise<Step>
}

/** Model of the installation. Each team uses it through its own meter. */
export interface SharedModel extends LanguageModel {
  metered(meter: TokenMeter, teamId?: string): LanguageModel
}

/** Model of a team, as formats use it. Every call is counted, and rejected after the budget of the day is spent. */
export type TeamModel = Pick<LanguageModel, 'name' | 'inputTokens' | 'write' | 'extract'>

/** Meter that counts the tokens of all requests to the model, including corrections. */
export interface TokenMeter {
  /**
   * Sends a request and counts the tokens that it used. `estimate` is the number of its input tokens. Throws
   * MODEL_BUDGET_SPENT without sending the request if no more tokens may be used. The signal ends a wait.
   */
  sendCounted<Answer extends { usage: Usage }>(
    estimate: number,
    signal: AbortSignal,
    send: () => Promise<Answer>,
  ): Promise<Answer>
}

interface Extracted {
  value: unknown
  usage: Usage
  /** True if the server itself constrained the answer to the schema, not only the prompt. */
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
  /** True if a tool must be called. An answer with text only is corrected once; a second one is accepted. */
  mustCall?: boolean
}

export type Message =
  | { role: 'user'; text: string }
  | { role: 'model'; text: string; calls: ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string }

export interface ToolOffer {
  name: string
  description: string
  /** Object schema: the arguments by name. */
  schema: JsonSchema
}

export interface ToolCall {
  id: string
  name: string
  arguments: Record<string, unknown>
  /** Signature of the server for this call. Some servers require it when the conversation is sent again. */
  signature?: string
}

export interface Step {
  text: string
  calls: ToolCall[]
  usage: Usage
}

/** Number of tokens as counted by the server, or estimated. Includes attempts that had to be corrected. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}
