// What explains a session (SessionViews): a chunk of its own, which follows the first frame.
export { createDiagnostics } from '../../analysis/diagnostics/diagnostics.ts';
export { mountChartPanel } from '../../charts/shell/mountChartPanel.ts';
export { diagnosticsPanel } from '../panels/diagnosticsPanel.ts';
export { viewOf } from '../panels/eventViews.ts';
export { openedSession } from './openedSession.ts';
