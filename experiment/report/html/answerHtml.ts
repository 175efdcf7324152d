import { markup, trusted, type Markup } from './markup.ts';
import { answerOf, formatCounts, splitSentence, type ReportModel } from '../model/reportModel.ts';
import { plain } from '../text/markdown.ts';

/** Ids of the figures of differences begin so: they repeat the verdicts, and no other figure does. */
const PICTURE = 'paired-';

/** One page to forward: the answer, its numbers, one picture, for what it holds, and how to repeat it. One HTML file without a script. */
export function answerHtml(model: ReportModel, styles: string): string {
  const { campaign, warnings, question } = model;
  const { claim, numbers, others, scope } = partsOf(model);
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        />
        <title>${campaign.name} · Pitwall answer</title>
        <style>
          ${trusted(styles)}
        </style>
      </head>
      <body>
        <main class="answer">
          <section class="opening">
            <h1>${claim.replaceAll(' %', '\u00a0%')}</h1>
            ${numbers === '' ? null : markup`<p class="scope">${numbers}</p>`}
            ${others.length === 0 ? null : markup`<ul class="claims">${others.map((each) => markup`<li>${each}</li>`)}</ul>`}
            ${warnings.length === 0 ? null : markup`<ul class="claims">${warnings.map((text) => markup`<li><b>Note:</b> ${text}</li>`)}</ul>`}
            <p class="about"><b>${question}</b> ${campaign.about ?? ''}</p>
          </section>
          ${picture(model)}
          <section>
            <h2>What it holds for</h2>
            <p class="sentence">${scope}. Nothing is said about anything else.</p>
            <p class="caption">${formatCounts(model)}</p>
          </section>
          <section>
            <h2>How to repeat it</h2>
            <p class="sentence">${beforeRepeat(model)}</p>
            ${repeat(model).map((line) => markup`<p><code>${line}</code></p>`)}
            <details>
              <summary>campaign.json</summary>
              <pre>${JSON.stringify(campaign, null, 2)}</pre>
            </details>
          </section>
        </main>
        <footer>Made by Pitwall from ${model.counts.finished} session logs.</footer>
      </body>
    </html> `.text;
}

function picture({ figures }: ReportModel): Markup | null {
  const figure = figures.find(({ id }) => id.startsWith(PICTURE));
  if (!figure) return null;
  return markup`<section>
    <figure>
      <figcaption>
        <h2>${figure.title}</h2>
        <p class="caption">${figure.caption}</p>
      </figcaption>
      <div class="picture">${trusted(figure.svg)}</div>
    </figure>
  </section>`;
}

/** Commands that play the campaign again and write its answer. */
const repeat = ({ counts }: ReportModel): string[] => [
  `pitwall compare campaign.json${counts.firstUnixMs === null ? ' --simulate' : ''} --out runs/again`,
  'pitwall report runs/again --answer',
];

/** What must be there before. A path in the campaign has a dot. */
const beforeRepeat = ({ campaign }: ReportModel): string => {
  const names = [
    ...campaign.contents,
    ...campaign.rules,
    ...campaign.profiles.filter((each) => typeof each === 'string'),
  ];
  const files = names
    .filter((name) => !/^https?:/.test(name))
    .flatMap((name) => name.split(':').filter((part) => /\.(?:json|mpd|m?[jt]s)$/.test(part)));
  const beside =
    files.length === 0 ? '' : ` The files that it names must lie beside it: ${files.join(', ')}.`;
  return `Save the text of campaign.json.${beside} Then:`;
};

/** The same page as Markdown, with the picture's numbers in its place. */
export function answerMarkdown(model: ReportModel): string {
  const { campaign, warnings, question } = model;
  const { claim, numbers, others, scope } = partsOf(model);
  return [
    `# ${plain(claim)}`,
    ...(numbers === '' ? [] : [plain(numbers)]),
    ...(others.length === 0 ? [] : [others.map((each) => `- ${plain(each)}`).join('\n')]),
    ...warnings.map((text) => `> **Note:** ${plain(text)}`),
    `**${plain(question)}** ${plain(campaign.about ?? '')}`.trim(),
    `Holds for ${plain(scope)}, and for nothing else. ${formatCounts(model)}.`,
    '## How to repeat it',
    plain(beforeRepeat(model)),
    // A name with backticks must not end the block.
    `\`\`\`json\n${JSON.stringify(campaign, null, 2).replaceAll('`', '\\u0060')}\n\`\`\``,
    `\`\`\`sh\n${repeat(model).join('\n')}\n\`\`\``,
    '',
  ].join('\n\n');
}

interface Parts {
  readonly claim: string;
  /** Of the claim; empty where there are none. */
  readonly numbers: string;
  readonly others: readonly string[];
  readonly scope: string;
}

function partsOf(model: ReportModel): Parts {
  const { claims, more, scope } = answerOf(model);
  const [claim = '', ...others] = claims;
  const rest = more === 0 ? [] : [`${more} more in the report: pitwall report FOLDER`];
  const [, numbers = ''] = splitSentence(model.verdicts[0]?.sentence ?? '');
  return {
    claim,
    numbers,
    others: [...others, ...rest],
    scope: `${scope.charAt(0).toUpperCase()}${scope.slice(1)}`,
  };
}
