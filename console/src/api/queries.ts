import { QueryClient } from '@tanstack/react-query'
import { isRefusal } from './request.ts'

/** Nothing is asked for by the clock: the stream of events says what has changed. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (count, thrown) => count < 2 && !isRefusal(thrown),
    },
  },
})
