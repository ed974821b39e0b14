import { JsonText } from '../../base/json-text.ts'
import type { ActionResults, CapturedFile } from '../../content/captures.ts'
import type { FileShelf } from '../files.ts'
import type { Document } from './schema.ts'

/** Answers the address under which the caller can get a file. */
type KeepFile = (file: CapturedFile, hours: number) => Promise<string | JsonText>

export function keeper(files: FileShelf, teamId: string): KeepFile {
  return (file, hours) => files.keep(teamId, file, hours)
}

/** Where nothing may be kept, the file itself travels in its address. */
export const inlineFile: KeepFile = async ({ mediaType, bytes }) =>
  JsonText.ofBase64(bytes, `data:${mediaType};base64,`)

/** Files that actions made become addresses; everything else is handed out as it is. */
export async function handOut(
  results: ActionResults,
  keepFile: KeepFile,
): Promise<NonNullable<Document['actions']>> {
  const keepAll = (files: CapturedFile[]) => Promise.all(files.map((file) => keepFile(file, 24)))
  return {
    // Where an address is JSON already, its receiver sees a string.
    screenshots: (await keepAll(results.screenshots)) as string[],
    scrapes: results.scrapes,
    javascriptReturns: results.javascriptReturns,
    pdfs: (await keepAll(results.pdfs)) as string[],
  }
}
