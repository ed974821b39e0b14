/** A screen reader reads the heading, and Tab goes on from there. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('#content h1')
  heading?.setAttribute('tabindex', '-1')
  const target = heading ?? document.getElementById('content')
  target?.focus({ preventScroll: true })
}
