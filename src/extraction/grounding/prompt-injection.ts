import { splitSentences } from '../text/split-sentences.ts'

/** The patterns match only common cases; model values are also checked against quotes. */
export function isPromptInjection(line: string): boolean {
  const normalized = line
    .slice(0, maxLineLength)
    .normalize('NFKC')
    .replace(invisibleCharacters, '')
    .toLowerCase()
  return patterns.some((pattern) => pattern.test(normalized))
}

/** Returns the sentences before the first prompt injection, because the following ones may belong to it. */
export function stripPromptInjection(line: string): string {
  if (!isPromptInjection(line)) return line
  const sentences = splitSentences(line, anyLanguage)
  const firstInjection = sentences.findIndex(isPromptInjection)
  return sentences.slice(0, Math.max(0, firstInjection)).join(' ')
}

const anyLanguage = { code: undefined, stopWords: new Set<string>() }

const maxLineLength = 4000
const invisibleCharacters = /[\u{e0000}-\u{e007f}\u00ad\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060\ufeff]/gu

/** Gaps are bounded, so that each pattern scans a line in linear time. */
const patterns = [
  /(?:ignore|disregard|forget|override|bypass).{0,50}(?:instruction|prompt|schema|guideline|rules)/,
  /^\W{0,10}(?:system|assistant|developer|tool)\W{0,10}:.{0,60}(?:report|answer|reply|respond|return|output|extract|pretend)/,
  /(?:as an? (?:ai|language model|assistant|chatbot)|you are now|developer mode).{0,60}(?:must|should|output|answer|reply|respond|report)/,
  /(?:answer|reply|respond|output|return) (?:\w+ ){0,2}(?:with|exactly) .{0,40}(?:json|these values|the word)/,
  /(?:answer|fill) every field/,
  /"role"\s{0,3}:\s{0,3}"(?:tool|system|assistant)"/,
  /\[(?:begin|end) text of the page/,
  /ignorier.{0,50}(?:anweisung|regeln|vorgaben|schema)/,
  /ignor(?:ez|er|e).{0,50}(?:instructions|consignes|instruções)/,
  /ignor(?:a|e|ar|en).{0,50}(?:instrucciones|reglas|istruzioni|regole)/,
  /negeer.{0,50}(?:instructies|regels)/,
  /игнорируй.{0,50}(?:инструкц|указани|правил)/,
  /(?:忽略|无视|無視).{0,30}(?:指令|指示|提示|规则)/,
  /(?:指示|命令|ルール).{0,20}無視/,
  /(?:지시|명령).{0,20}무시/,
]
