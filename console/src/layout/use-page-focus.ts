import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { focusHeading } from './focus-heading.ts'

/** After a step to another page, its heading has the focus. */
export function usePageFocus(onStep: () => void): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return
        onStep()
        focusHeading()
        window.scrollTo(0, 0)
      }),
    [router, onStep],
  )
}
