import { AppError } from '../base/errors.ts'
import type { Tables } from './schema.ts'

/** Where something is kept. */
export interface Column {
  table: keyof Tables
  column: string
}

/** What the store holds is not what was written into it. The error shows nothing of it: it may hold secrets of a caller. */
export function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'INTERNAL' && thrown.detail.table !== undefined
}

export function unreadable(at: Column, why: string): AppError {
  const { table, column } = at
  const name = `${table}.${column}`
  const message = `The store holds something in ${name} that cannot be read. It is damaged, or a newer version wrote it.`
  return new AppError('INTERNAL', { table, column }, { message, cause: new Error(`${name}: ${why}`) })
}
