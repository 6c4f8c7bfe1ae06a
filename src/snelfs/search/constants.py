"""The constants of the search, each with what settled it; docs/search.md has the figures.

Those of statistics (how evidence is calibrated, when a function says nothing new) stand with them.
"""

# More columns or rows are not looked at all at once. So many columns enter the first round, by their
# associations; so many rows are seen by an epoch, and by associations of a table that is not in memory. More
# cost time and found no more.
MANY = 1000

# The least share of a column in the start of the second round: one without any visible association must be
# able to come back.
LEAST_SHARE = 0.1

# Neurons of the layer at least, as far as that is no larger share of the columns than features by default: a
# layer of two or three neurons has no room to find two or three columns in.
FEWEST_NEURONS = 15

# Candidates of the second round: so many, or twice as many as neurons if that is more. Between 30 and 60 made
# no difference that draws could show, and few are quick.
CANDIDATES = 40

# Restarts of the second round for each of the first: what another seed changes falls with their number.
REFINED_RESTARTS = 2

# Functions of a column in half of the restarts of the second round: itself and four cosines of its ranks.
# With two of them a wave of two periods is not seen.
FUNCTIONS = 5

# The learning rate of the second round: of so few columns the rule's is larger, and loses Madelon's.
REFINED_RATE = 0.003

# Partners that are strongest alone, for each target. A column that works together with another mostly does so
# with one that shows by itself: among so few it need not stand out as much as among all. Of twice as many
# columns or fewer none is called strong.
STRONGEST = 5
