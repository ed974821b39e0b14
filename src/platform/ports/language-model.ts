/** Answers are validated. Prompts must mark text of pages, because a model may take it for the request. */
export interface LanguageModel {
  name: string
  /** Includes system prompt, schema and tools. Callers cut their input to it. */
  inputTokens: number
  write(prompt: Prompt, signal: AbortSignal): Promise<{ text: string; usage: Usage }>
  /** The schema may come from a caller; an invalid one is a BAD_REQUEST. */
  extract(prompt: Prompt & { schema: JsonSchema }, signal: AbortSignal): Promise<Extracted>
  step(conversation: Conversation, signal: AbortSignal): Promise<Step>
}

export interface SharedModel extends LanguageModel {
  metered(meter: TokenMeter, teamId?: string): LanguageModel
}

export type TeamModel = Pick<LanguageModel, 'name' | 'inputTokens' | 'write' | 'extract'>

export interface TokenMeter {
  /** Counts used tokens, also of corrections. Throws MODEL_BUDGET_SPENT before sending if no more may be used. */
  sendCounted<Answer extends { usage: Usage }>(
    estimate: number,
    signal: AbortSignal,
    send: () => Promise<Answer>,
  ): Promise<Answer>
}

interface Extracted {
  value: unknown
  usage: Usage
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
  /** An answer with text only is corrected once; a second one is accepted. */
  mustCall?: boolean
}

export type Message =
  | { role: 'user'; text: string }
  | { role: 'model'; text: string; calls: ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string }

export interface ToolOffer {
  name: string
  description: string
  schema: JsonSchema
}

export interface ToolCall {
  id: string
  name: string
  arguments: Record<string, unknown>
  /** Some servers require their signature when the conversation is sent again. */
  signature?: string
}

export interface Step {
  text: string
  calls: ToolCall[]
  usage: Usage
}

/** As counted by the server, or estimated. Includes attempts that had to be corrected. */
export interface Usage {
  inputTokens: number
  outputTokens: number
}
