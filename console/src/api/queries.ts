import { QueryClient } from '@tanstack/react-query'
import { isClientError } from './request.ts'

/** Query client. It does not poll by default, because the event stream reports changes. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (count, thrown) => count < 2 && !isClientError(thrown),
    },
  },
})
