/**
 * A language model, whoever serves it. What it answers has been checked: a value fits its schema, a call names a tool that
 * was offered and its arguments fit, or there are words and no call. A model that fails at this twice, or does not answer, is an AppError MODEL_FAILED.
 * Whoever puts text of pages into a prompt marks it as such: the model cannot tell it from what the caller wants.
 */
export interface LanguageModel {
  /** What people know it by. */
  name: string
  write(prompt: Prompt, signal: AbortSignal): Promise<{ text: string; usage: Usage }>
  /** A value that fits the schema. The schema may come from a caller; one that is none is a BAD_REQUEST. */
  extract(
    prompt: Prompt & { schema: JsonSchema },
    signal: AbortSignal,
  ): Promise<{ value: unknown; usage: Usage }>
  /** One step of a conversation with tools: what the model says next. Running the tools is up to the caller. */
  step(conversation: Conversation, signal: AbortSignal): Promise<Step>
}

export interface Prompt {
  system: string
  text: string
}

export type JsonSchema = Record<string, unknown>

export interface Conversation {
  system: string
  messages: Message[]
  tools: ToolOffer[]
  /** A tool must be called. Words alone are answered by asking again; where words come again, they are the answer. */
  mustCall?: boolean
}

export type Message =
  | { role: 'user'; text: string }
  | { role: 'model'; text: string; calls: ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string }

export interface ToolOffer {
  name: string
  description: string
  /** Of an object: the arguments by name. */
  schema: JsonSchema
}

export interface ToolCall {
  id: string
  name: string
  arguments: Record<string, unknown>
}

export interface Step {
  text: string
  calls: ToolCall[]
  usage: Usage
}

/** Tokens, as the server counted them; attempts that had to be corrected included. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}
