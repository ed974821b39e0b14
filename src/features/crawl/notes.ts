import { z } from 'zod'
import { storedJson } from '../../store/stored-json.ts'

/** What the caller of a crawl should know. */
export const storedNotes = storedJson({ table: 'crawls', column: 'notes' }, z.array(z.string()))

const mostNotes = 50

/** Adds each note once. */
export function withNotes(text: string, told: string[]): string {
  if (told.length === 0) return text
  const notes = new Set([...storedNotes.read(text), ...told])
  return storedNotes.write([...notes].slice(0, mostNotes))
}
