interface ProgressBarProps {
  label: string
  completed: number
  failed: number
  total: number
}

/** Completed and failed pages as shares of the total. */
export function ProgressBar({ label, completed, failed, total }: ProgressBarProps) {
  const percentage = (count: number) => `${total === 0 ? 0 : (100 * count) / total}%`
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={completed + failed}
      aria-valuetext={`${completed} completed, ${failed} failed, of ${total}`}
    >
      <span className="completed" style={{ width: percentage(completed) }} />
      <span className="failed" style={{ width: percentage(failed) }} />
    </div>
  )
}
