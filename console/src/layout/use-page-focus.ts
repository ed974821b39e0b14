import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { focusHeading } from './focus-heading.ts'

/** Focuses the page heading and scrolls to the top after each navigation to another path. */
export function usePageFocus(onNavigate: () => void): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return
        onNavigate()
        focusHeading()
        window.scrollTo(0, 0)
      }),
    [router, onNavigate],
  )
}
