import type { SupportAnswer } from '../../types.ts'
import { argumentsAt, type Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { safeJson, safeText } from '../safe-text.ts'

export const run: Run = async (context) => {
  const { winnow, terminal, values, body, signal } = context
  const answer = await winnow.ask(argumentsAt(context, 0).join(' '), body, { signal })
  const isJson = values.flags.has('json')
  await terminal.print(`${isJson ? safeJson(answer, 2) : safeText(toMarkdown(answer))}\n`)
  return exitCodes.done
}

function toMarkdown({
  answer,
  confidence,
  cause,
  fixParameters,
  validation,
  feedback,
}: SupportAnswer): string {
  const parts = [
    answer,
    `Confidence: ${confidence}${cause ? `, cause: ${cause}` : ''}`,
    ...(fixParameters
      ? ['Options that mend it:', `\`\`\`json\n${JSON.stringify(fixParameters, null, 2)}\n\`\`\``]
      : []),
    ...(validation ? [`Tried: ${validation.result}. ${validation.evidence}`] : []),
    ...(feedback
      ? [`Blocked by: ${feedback.blockedBy}`, ...feedback.attempted.map((step) => `- ${step}`)]
      : []),
  ]
  return parts.join('\n\n')
}
