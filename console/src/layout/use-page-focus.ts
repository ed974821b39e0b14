import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** After a step to another page, the focus is on its heading: a screen reader reads it, and Tab goes on from there. */
export function usePageFocus(onStep: () => void): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return
        onStep()
        const heading = document.querySelector<HTMLElement>('#content h1')
        heading?.setAttribute('tabindex', '-1')
        const target = heading ?? document.getElementById('content')
        target?.focus({ preventScroll: true })
        window.scrollTo(0, 0)
      }),
    [router, onStep],
  )
}
