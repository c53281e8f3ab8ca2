// A report is a list of sections: { title, notes, head, rows }. Here it is written as plain text and as Markdown.

const width = (text) => [...text].length;

function columns({ head, rows }) {
  return head.map((_, i) => Math.max(...[head, ...rows].map((row) => width(row[i]))));
}

// The first column is words, the others are figures.
function padded(row, widths) {
  return row.map((text, i) => {
    const space = ' '.repeat(widths[i] - width(text));
    return i === 0 ? text + space : space + text;
  });
}

export function asText(sections) {
  const parts = sections.map((section) => {
    const lines = [section.title, '='.repeat(width(section.title))];
    if (section.rows?.length) {
      const widths = columns(section);
      lines.push(padded(section.head, widths).join('  '), widths.map((w) => '-'.repeat(w)).join('  '));
      lines.push(...section.rows.map((row) => padded(row, widths).join('  ').trimEnd()));
    }
    return [...lines, ...(section.notes ?? [])].join('\n');
  });
  return `${parts.join('\n\n')}\n`;
}

export function asMarkdown(title, sections) {
  const escape = (text) => text.replaceAll('|', '\\|');
  const line = (row) => `| ${row.map(escape).join(' | ')} |`;
  const parts = sections.map((section) => {
    const lines = [`## ${section.title}`, ''];
    if (section.rows?.length) {
      lines.push(line(section.head), `|${section.head.map((_, i) => (i ? '--:' : '---')).join('|')}|`);
      lines.push(...section.rows.map(line), '');
    }
    return [...lines, ...(section.notes ?? []).map((note) => `${note}\n`)].join('\n').trimEnd();
  });
  return `# ${title}\n\n${parts.join('\n\n')}\n`;
}
