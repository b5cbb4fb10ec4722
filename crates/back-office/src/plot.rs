//! Plots in a page: lengths and positions, in the units of the picture. The page draws them as SVG, in colours of
//! its style, and has a table of the same figures for people who cannot see the picture.

/// The width and height of a plot, without its labels.
pub(super) const WIDTH: i64 = 720;
pub(super) const HEIGHT: i64 = 160;

/// One bar for each day.
pub(super) struct Bars {
    pub(super) bars: Vec<Bar>,
    /// The value at the top of the plot.
    pub(super) top: String,
    pub(super) names: Vec<AxisLabel>,
}

/// A bar.
pub(super) struct Bar {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
    pub(super) height: i64,
    /// The text of its tooltip.
    pub(super) title: String,
}

/// A label below a plot.
pub(super) struct AxisLabel {
    pub(super) x: i64,
    pub(super) text: String,
    /// The alignment of the text at its position: `start`, `middle`, `end`.
    pub(super) anchor: &'static str,
}

/// A line through the days that have a value.
pub(super) struct Line {
    pub(super) points: Vec<Point>,
    /// The points of each stretch without a gap, for the attribute `points`.
    pub(super) stretches: Vec<String>,
    pub(super) names: Vec<AxisLabel>,
}

/// A point.
pub(super) struct Point {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) title: String,
}

/// Names with their counts, the largest first.
pub(super) struct Ranking {
    pub(super) rows: Vec<RankingRow>,
}

/// One name with its count.
pub(super) struct RankingRow {
    pub(super) name: String,
    pub(super) count: i64,
    /// In units, up to [`WIDTH`].
    pub(super) length: i64,
    /// The share in percent, as a text.
    pub(super) part: String,
}

impl Bars {
    /// Bars for values, each with the name of its day; the longest bar has the full height.
    pub(super) fn of(values: &[i64], names: &[String], write: impl Fn(i64) -> String) -> Bars {
        let top = values.iter().copied().max().unwrap_or(0);
        let places = DayPositions::of(values.len());
        let bars = values.iter().zip(names).enumerate();
        let bars = bars.filter(|(_, (value, _))| **value > 0);
        Bars {
            bars: bars
                .map(|(place, (value, name))| {
                    // Every value above 0 has a visible bar.
                    let height = scaled(*value, top, HEIGHT).max(1);
                    Bar {
                        x: places.start(place),
                        y: HEIGHT - height,
                        width: places.width(),
                        height,
                        title: format!("{name}: {}", write(*value)),
                    }
                })
                .collect(),
            top: write(top),
            names: places.names(names),
        }
    }
}

impl Line {
    /// A line through thousandths; a missing value is a gap.
    pub(super) fn of(thousandths: &[Option<i64>], names: &[String]) -> Line {
        let places = DayPositions::of(thousandths.len());
        let mut points = Vec::new();
        let mut stretches: Vec<String> = Vec::new();
        let mut goes_on = false;
        for (place, (value, name)) in thousandths.iter().zip(names).enumerate() {
            let Some(value) = value else {
                goes_on = false;
                continue;
            };
            let (x, y) = (places.middle(place), HEIGHT - scaled(*value, 1000, HEIGHT));
            match stretches.last_mut().filter(|_| goes_on) {
                Some(stretch) => stretch.push_str(&format!(" {x},{y}")),
                None => stretches.push(format!("{x},{y}")),
            }
            goes_on = true;
            points.push(Point {
                x,
                y,
                title: format!("{name}: {}.{}%", value / 10, value % 10),
            });
        }
        Line {
            points,
            stretches,
            names: places.names(names),
        }
    }
}

impl Ranking {
    /// Names with their counts. The counts of the same name are added.
    pub(super) fn of(counted: Vec<(String, i64)>) -> Ranking {
        let mut counts: Vec<(String, i64)> = Vec::new();
        for (name, count) in counted {
            match counts.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += count,
                None => counts.push((name, count)),
            }
        }
        counts.sort_by_key(|(_, count)| -count);
        let all: i64 = counts.iter().map(|(_, count)| count).sum();
        let most = counts.first().map_or(0, |(_, count)| *count);
        let rows = counts.into_iter().map(|(name, count)| RankingRow {
            name,
            length: scaled(count, most, WIDTH),
            part: format!("{}%", scaled(count, all, 100)),
            count,
        });
        Ranking {
            rows: rows.collect(),
        }
    }
}

/// The positions of the days.
struct DayPositions {
    count: i64,
}

impl DayPositions {
    fn of(count: usize) -> DayPositions {
        DayPositions {
            count: i64::try_from(count).unwrap_or(i64::MAX).max(1),
        }
    }

    fn edge(&self, place: usize) -> i64 {
        i64::try_from(place).unwrap_or(0) * WIDTH / self.count
    }

    /// The gap between bars is a quarter of a day, and at least one unit.
    fn gap(&self) -> i64 {
        (WIDTH / self.count / 4).max(1)
    }

    fn start(&self, place: usize) -> i64 {
        self.edge(place) + self.gap() / 2
    }

    fn middle(&self, place: usize) -> i64 {
        (self.edge(place) + self.edge(place + 1)) / 2
    }

    fn width(&self) -> i64 {
        (WIDTH / self.count - self.gap()).max(1)
    }

    /// The first, the middle and the last day.
    fn names(&self, names: &[String]) -> Vec<AxisLabel> {
        let last = names.len().saturating_sub(1);
        let mut places = vec![
            (0, 0, "start"),
            (last / 2, self.middle(last / 2), "middle"),
            (last, WIDTH, "end"),
        ];
        places.dedup_by_key(|(place, _, _)| *place);
        let name = |(place, x, anchor): (usize, i64, &'static str)| {
            let text = names.get(place)?.clone();
            Some(AxisLabel { x, text, anchor })
        };
        places.into_iter().filter_map(name).collect()
    }
}

/// A value on a scale on which `top` is `length`, rounded.
fn scaled(value: i64, top: i64, length: i64) -> i64 {
    match top {
        0 => 0,
        // Values can be large, and so is their product with a length.
        top => {
            let (value, top, length) = (i128::from(value), i128::from(top), i128::from(length));
            i64::try_from((value * length + top / 2) / top).unwrap_or(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (1..=count).map(|day| format!("day {day}")).collect()
    }

    #[test]
    fn the_highest_bar_reaches_the_top_and_none_is_too_small_to_see() {
        let bars = Bars::of(&[100, 0, 1, 50_000], &names(4), |value| {
            format!("{value} units")
        });
        let drawn: Vec<_> = bars
            .bars
            .iter()
            .map(|bar| (bar.x, bar.y, bar.height))
            .collect();
        assert_eq!(drawn, [(22, 159, 1), (382, 159, 1), (562, 0, 160)]);
        assert!(bars.bars.iter().all(|bar| bar.x + bar.width <= WIDTH));
        assert_eq!(
            (bars.top.as_str(), bars.bars[2].title.as_str()),
            ("50000 units", "day 4: 50000 units")
        );
        assert!(
            Bars::of(&[0; 90], &names(90), |value| value.to_string())
                .bars
                .is_empty()
        );
        let full = Bars::of(&[i64::MAX; 90], &names(90), |value| value.to_string());
        assert!(
            full.bars
                .iter()
                .all(|bar| bar.height == HEIGHT && bar.x + bar.width <= WIDTH)
        );
    }

    #[test]
    fn a_line_has_gaps_where_nobody_paid() {
        let line = Line::of(&[Some(1000), Some(0), None, Some(500)], &names(4));
        assert_eq!(line.stretches, ["90,0 270,160", "630,80"]);
        assert_eq!(line.points[2].title, "day 4: 50.0%");
    }

    #[test]
    fn reasons_with_one_name_are_one_and_the_most_frequent_is_first() {
        let ranks = Ranking::of(vec![
            (String::from("b"), 1),
            (String::from("a"), 2),
            (String::from("b"), 4),
        ]);
        let rows: Vec<_> = ranks
            .rows
            .iter()
            .map(|row| (row.name.as_str(), row.count, row.length, row.part.as_str()))
            .collect();
        assert_eq!(rows, [("b", 5, 720, "71%"), ("a", 2, 288, "29%")]);
        assert!(Ranking::of(Vec::new()).rows.is_empty());
    }

    #[test]
    fn first_middle_and_last_day_are_named() {
        let places = |count| {
            let named = DayPositions::of(count).names(&names(count));
            named
                .iter()
                .map(|name| format!("{} {} {}", name.text, name.x, name.anchor))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            places(7),
            ["day 1 0 start", "day 4 359 middle", "day 7 720 end"]
        );
        assert_eq!(places(1), ["day 1 0 start"]);
        assert!(places(0).is_empty());
    }
}
