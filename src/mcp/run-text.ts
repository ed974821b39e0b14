import { asRecord } from './document-text.ts'
import type { ToolAnswer } from './tool.ts'
import { showValues } from './values-text.ts'

/** What a run in a browser came to. Code that failed is an error of the tool, so that a model mends it. */
export async function showRun(
  answer: unknown,
  showing: { most: number; fence: (text: string) => string },
): Promise<ToolAnswer> {
  const { error, exitCode, killed, success } = asRecord(answer)
  const hasFailed = error !== undefined || killed === true || success === false || (exitCode ?? 0) !== 0
  const shown = await showValues(answer, showing)
  return hasFailed ? { ...shown, isError: true } : shown
}
