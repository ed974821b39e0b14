import { openModel, type SentenceModel } from './open-model.ts'

/** A model that is loaded when it is first needed. */
export interface LazyModel {
  /** Undefined where it cannot be loaded; that is not tried again. */
  get(): Promise<SentenceModel | undefined>
  /** Why it could not be loaded. */
  obstacle(): string | undefined
}

export function lazyModel(folder: string, open = openModel): LazyModel {
  let loading: Promise<SentenceModel | undefined> | undefined
  let obstacle: string | undefined
  return {
    get() {
      loading ??= open(folder).catch((cause) => {
        obstacle = cause instanceof Error ? cause.message : String(cause)
        return undefined
      })
      return loading
    },
    obstacle: () => obstacle,
  }
}
